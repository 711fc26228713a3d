/** `kubectl label` and `kubectl annotate` */
import { MEDIA_TYPE } from '../../engine/core/names'
import {
  entryOf,
  equalJson,
  isJsonObject,
  type JsonObject,
  setMember,
} from '../../engine/core/object'
import { labelValueProblems } from '../../engine/validation/names'
import { Failures } from '../acting/failures'
import {
  ALL_FLAG,
  DRY_RUN_FLAG,
  dryRunOf,
  EVERYWHERE_FLAG,
  FIELDS_FLAG,
  fieldManagerFlag,
  LABELS_FLAG,
  LOCAL_FLAG,
  RECURSIVE_FLAG,
} from '../acting/flags'
import { type FoundObject, filedObjects, foundObjects } from '../acting/objects'
import { Results } from '../acting/results'
import { pathWith } from '../client'
import type { Command, Context, FlagValues, Invocation } from '../command'
import { CommandError } from '../errors'
import { OUTPUT_FLAGS } from '../output/printer'
import { pathOfTarget, select } from '../targets'
import { FILE_FLAGS } from './common-flags'

interface Kind {
  command: 'label' | 'annotate'
  member: 'labels' | 'annotations'
  /** For messages. */
  word: 'label' | 'annotation'
}

const LABELS: Kind = { command: 'label', member: 'labels', word: 'label' }
const ANNOTATIONS: Kind = { command: 'annotate', member: 'annotations', word: 'annotation' }

const commandOf = (kind: Kind): Command => ({
  name: kind.command,
  summary: `Update the ${kind.member} on a resource`,
  usage: `${kind.command} [--overwrite] (-f FILENAME | TYPE NAME) KEY_1=VAL_1 ... KEY_N=VAL_N [--resource-version=version]`,
  examples: [
    {
      line: `kubectl ${kind.command} pod web-1 tier=front`,
      about: `Update a pod with one ${kind.word}`,
    },
    {
      line: `kubectl ${kind.command} pods --all --overwrite tier=back`,
      about: 'Update all pods in the namespace, overwriting any existing value',
    },
    { line: `kubectl ${kind.command} pod web-1 tier-`, about: 'Remove it from a pod' },
  ],
  completes: 'objects',
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    fieldManagerFlag(`kubectl-${kind.command}`),
    ...OUTPUT_FLAGS,
    LABELS_FLAG,
    FIELDS_FLAG,
    ALL_FLAG,
    EVERYWHERE_FLAG,
    RECURSIVE_FLAG,
    LOCAL_FLAG,
    {
      name: 'list',
      type: 'on',
      about: `If true, display the ${kind.member} for a given resource.`,
    },
    {
      name: 'overwrite',
      type: 'on',
      about:
        'If true, allow existing values to be overwritten, otherwise reject updates that overwrite existing values.',
    },
    {
      name: 'resource-version',
      type: 'text',
      about:
        'If non-empty, the update will only succeed if this is the current resource-version for the object. Only valid when specifying a single resource.',
    },
  ],
  run: (context, invocation) => run(kind, context, invocation),
})

export const LABEL = commandOf(LABELS)
export const ANNOTATE = commandOf(ANNOTATIONS)

interface Change {
  set: Record<string, string>
  removed: string[]
}

async function run(kind: Kind, context: Context, { args, flags }: Invocation): Promise<number> {
  const { words, changes } = divided(kind, args, flags.has('filename'))
  const list = flags.on('list')
  const dryRun = dryRunOf(flags, context)
  const change = changeOf(kind, changes)
  if (words.length === 0 && !flags.has('filename'))
    throw new CommandError(
      'one or more resources must be specified as <resource> <name> or <resource>/<name>',
    )
  if (changes.length === 0 && !list)
    throw new CommandError(`at least one ${kind.word} update is required`)
  if (kind === LABELS) checkLabels(change)
  const failures = new Failures()
  const results = new Results(context, flags, dryRun)
  const local = flags.on('local')
  const sole = flags.text('resource-version')
  const found: FoundObject[] = []
  for await (const target of local
    ? filedObjects(context, flags.list('filename'), failures, { asWritten: true })
    : chosen(context, words, flags, failures))
    found.push(target)
  if (sole !== '' && found.length > 1)
    throw new CommandError('--resource-version may only be used with a single resource')
  for (const target of found) {
    await failures.during(async () => {
      if (list) printList(context, kind, target, found.length > 1)
      if (changes.length === 0) return
      const patch = patchOf(kind, context, target, change, flags)
      const before = mapOf(target.object, kind)
      const after = { ...before, ...change.set }
      for (const key of change.removed) delete after[key]
      const same = equalJson(before, after)
      let object = withMap(target.object, kind, after)
      if (!local && dryRun !== 'client' && (kind === ANNOTATIONS || !same)) {
        const path = pathWith(pathOfTarget(target), {
          fieldManager: flags.text('field-manager'),
          dryRun: dryRun === 'server' ? 'All' : undefined,
        })
        object = (
          await context.client.send({
            method: 'PATCH',
            path,
            contentType: MEDIA_TYPE.mergePatch,
            body: patch,
          })
        ).json
      }
      results.print(object, doneWord(kind, before, change, same))
    })
  }
  failures.throwIfAny()
  return 0
}

async function* chosen(
  context: Context,
  words: string[],
  flags: FlagValues,
  failures: Failures,
): AsyncGenerator<FoundObject> {
  const selection = await select(context, {
    args: words,
    files: flags.list('filename'),
    selector: flags.text('selector') || undefined,
    fieldSelector: flags.text('field-selector') || undefined,
    all: flags.on('all'),
    allNamespaces: flags.on('all-namespaces'),
  })
  yield* foundObjects(context, selection, failures)
}

/** Objects, then `key=value` and `key-`. @throws CommandError */
function divided(
  kind: Kind,
  args: readonly string[],
  fromFile: boolean,
): { words: string[]; changes: string[] } {
  const isChange = (word: string, index: number): boolean =>
    word.includes('=') || (word.endsWith('-') && (fromFile || index > 0))
  const at = args.findIndex(isChange)
  const words = at === -1 ? [...args] : args.slice(0, at)
  const changes = at === -1 ? [] : args.slice(at)
  const stray = changes.find((word, index) => !isChange(word, at + index))
  if (stray !== undefined)
    throw new CommandError(`all resources must be specified before ${kind.word} changes: ${stray}`)
  return { words, changes }
}

function changeOf(kind: Kind, changes: readonly string[]): Change {
  const change: Change = { set: {}, removed: [] }
  for (const text of changes) {
    const [, key = '', value] = /^([^=]*)=(.*)$/s.exec(text) ?? []
    if (value === undefined) change.removed.push(text.slice(0, -1))
    else if (kind === LABELS && (key === '' || value.includes('=')))
      throw new CommandError(`invalid label spec: ${text}`)
    else if (key === '') throw new CommandError(`invalid annotation format: ${text}`)
    else setMember(change.set, key, value)
  }
  if (change.removed.some((key) => key in change.set)) {
    throw new CommandError(
      kind === LABELS
        ? 'can not both modify and remove a label in the same command'
        : 'can not both modify and remove the following annotation(s) in the same command: ' +
            change.removed.filter((key) => key in change.set).join(', '),
    )
  }
  return change
}

function checkLabels({ set }: Change): void {
  for (const [key, value] of Object.entries(set)) {
    const problems = labelValueProblems(value)
    if (problems.length > 0)
      throw new CommandError(
        `invalid label value: ${JSON.stringify(`${key}=${value}`)}: ${problems.join(';')}`,
      )
  }
}

const mapOf = ({ metadata }: JsonObject, { member }: Kind): Record<string, string> => {
  const map = isJsonObject(metadata) ? metadata[member] : undefined
  return isJsonObject(map) ? ({ ...map } as Record<string, string>) : {}
}

const withMap = (
  object: JsonObject,
  { member }: Kind,
  map: Record<string, string>,
): JsonObject => ({
  ...object,
  metadata: { ...(object.metadata as JsonObject), [member]: map },
})

/** @throws CommandError for an existing value without --overwrite */
function patchOf(
  kind: Kind,
  context: Context,
  { object }: FoundObject,
  { set, removed }: Change,
  flags: FlagValues,
): JsonObject {
  const before = mapOf(object, kind)
  if (!flags.on('overwrite')) {
    const taken = Object.keys(set).filter(
      (key) => key in before && entryOf(before, key) !== entryOf(set, key),
    )
    const texts = taken.map((key) => `'${key}' already has a value (${entryOf(before, key)})`)
    if (texts.length > 0 && kind === LABELS)
      throw new CommandError(`${texts[0]}, and --overwrite is false`)
    if (texts.length > 0)
      throw new CommandError(
        `--overwrite is false but found the following declared annotation(s): ${texts.join('; ')}`,
      )
  }
  if (kind === LABELS)
    for (const key of removed)
      if (!(key in before)) context.out(`label ${JSON.stringify(key)} not found.\n`)
  const map = { ...set, ...Object.fromEntries(removed.map((key) => [key, null])) }
  const version = flags.text('resource-version')
  return {
    metadata: { ...(version === '' ? {} : { resourceVersion: version }), [kind.member]: map },
  }
}

function doneWord(
  kind: Kind,
  before: Record<string, string>,
  { set, removed }: Change,
  same: boolean,
): string {
  if (kind === ANNOTATIONS) return 'annotated'
  if (same) return 'not labeled'
  return removed.some((key) => key in before) && Object.keys(set).length === 0
    ? 'unlabeled'
    : 'labeled'
}

function printList(
  context: Context,
  kind: Kind,
  { object, resource, name }: FoundObject,
  several: boolean,
): void {
  const lines = Object.entries(mapOf(object, kind))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${several ? ' ' : ''}${key}=${value}\n`)
  if (several)
    context.out(`Listing ${kind.member} for ${resource.kind}.${resource.group}/${name}:\n`)
  context.out(lines.join(''))
}
