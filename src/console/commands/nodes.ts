/** Nodes: `cordon`, `uncordon`, `drain` and `taint`. */
import { MEDIA_TYPE } from '../../engine/core/names'
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { Failures } from '../acting/failures'
import {
  ALL_FLAG,
  DRY_RUN_FLAG,
  type DryRun,
  dryRunOf,
  fieldManagerFlag,
  LABELS_FLAG,
} from '../acting/flags'
import { type FoundObject, foundObjects } from '../acting/objects'
import { Results } from '../acting/results'
import { pathWith } from '../client'
import type { Command, Context, FlagValues, Invocation } from '../command'
import { CommandError } from '../errors'
import { OUTPUT_FLAGS } from '../output/printer'
import { pathOfTarget, select } from '../targets'

/** @throws CommandError without name or label; StatusError for the first missing node */
export async function nodesOf(
  context: Context,
  { args, flags, path }: Invocation,
  usage: string,
): Promise<FoundObject[]> {
  const selector = flags.text('selector')
  if (args.length === 0 && selector === '')
    throw new CommandError(`USAGE: ${usage}\nSee '${path} -h' for help and examples`)
  if (args.length > 0 && selector !== '')
    throw new CommandError('error: cannot specify both a node name and a --selector option')
  const selection = await select(context, {
    args: ['nodes', ...args.map((word) => word.replace(/^nodes?\//, ''))],
    selector: selector || undefined,
  })
  const failures = new Failures()
  const nodes: FoundObject[] = []
  for await (const node of foundObjects(context, selection, failures)) nodes.push(node)
  // A missing node ends the command before any change.
  failures.throwFirst()
  return nodes
}

export async function setUnschedulable(
  context: Context,
  node: FoundObject,
  wanted: boolean,
  dryRun: DryRun,
): Promise<void> {
  const word = wanted ? 'cordoned' : 'uncordoned'
  const print = (done: string): void => {
    const suffix = { none: '', client: ' (dry run)', server: ' (server dry run)' }[dryRun]
    context.out(`node/${node.name} ${done}${suffix}\n`)
  }
  const spec = isJsonObject(node.object.spec) ? node.object.spec : {}
  if ((spec.unschedulable === true) === wanted) {
    print(`already ${word}`)
    return
  }
  if (dryRun !== 'client') {
    const path = pathWith(pathOfTarget(node), {
      fieldManager: 'kubectl',
      dryRun: dryRun === 'server' ? 'All' : undefined,
    })
    const body = { spec: { unschedulable: wanted || null } }
    await context.client.send({
      method: 'PATCH',
      path,
      contentType: MEDIA_TYPE.strategicMergePatch,
      body,
    })
  }
  print(word)
}

const cordoning = (name: 'cordon' | 'uncordon', summary: string): Command => ({
  name,
  summary,
  usage: `${name} NODE`,
  examples: [{ line: `kubectl ${name} node-1`, about: summary }],
  completes: 'nodes',
  flags: [DRY_RUN_FLAG, LABELS_FLAG],
  async run(context, invocation) {
    const dryRun = dryRunOf(invocation.flags, context)
    const failures = new Failures()
    for (const node of await nodesOf(context, invocation, `${name} NODE [flags]`)) {
      await failures.during(() => setUnschedulable(context, node, name === 'cordon', dryRun))
    }
    failures.throwIfAny()
    return 0
  },
})

export const CORDON = cordoning('cordon', 'Mark node as unschedulable')
export const UNCORDON = cordoning('uncordon', 'Mark node as schedulable')

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

interface Taint {
  key: string
  value?: string
  effect: string
}

interface TaintChange {
  set: Taint[]
  /** An empty effect matches any. */
  removed: Taint[]
}

export const TAINT: Command = {
  name: 'taint',
  summary: 'Update the taints on one or more nodes',
  usage: 'taint NODE NAME KEY_1=VAL_1:TAINT_EFFECT_1 ... KEY_N=VAL_N:TAINT_EFFECT_N',
  examples: [
    {
      line: 'kubectl taint node node-1 dedicated=db:NoSchedule',
      about: 'Add a taint with key dedicated, value db and effect NoSchedule',
    },
    {
      line: 'kubectl taint node node-1 dedicated:NoSchedule-',
      about: 'Remove the taint with key dedicated and effect NoSchedule',
    },
  ],
  completes: 'objects',
  flags: [
    DRY_RUN_FLAG,
    fieldManagerFlag('kubectl-taint'),
    ...OUTPUT_FLAGS,
    LABELS_FLAG,
    ALL_FLAG,
    {
      name: 'overwrite',
      type: 'on',
      about:
        'If true, allow taints to be overwritten, otherwise reject taint updates that overwrite existing taints.',
    },
    {
      name: 'validate',
      type: 'text',
      default: 'strict',
      about: 'Accepted for compatibility; it has no effect here.',
    },
  ],
  async run(context, invocation) {
    const { args, flags, path } = invocation
    const at = args.findIndex(
      (word, index) =>
        index > 0 && (word.includes('=') || word.includes(':') || word.endsWith('-')),
    )
    const words = at === -1 ? [...args] : args.slice(0, at)
    const change = taintChange(
      at === -1 ? [] : args.slice(at),
      `See '${path} -h' for help and examples`,
    )
    if (words.length === 0)
      throw new CommandError('one or more resources must be specified as <resource> <name>')
    const { resource } = await context.discovery.find(words[0] ?? '')
    if (resource !== 'nodes')
      throw new CommandError(`invalid resource type ${words[0]}, only node types are supported`)
    if (change.set.length + change.removed.length === 0)
      throw new CommandError('at least one taint update is required')
    const dryRun = dryRunOf(flags, context)
    const results = new Results(context, flags, 'none')
    const failures = new Failures()
    const selection = await select(context, {
      args: words,
      selector: flags.text('selector') || undefined,
      all: flags.on('all'),
    })
    for await (const node of foundObjects(context, selection, failures)) {
      await failures.during(() => taintOne(context, node, change, flags, dryRun, results))
    }
    failures.throwIfAny()
    return 0
  },
}

function taintChange(texts: readonly string[], help: string): TaintChange {
  const change: TaintChange = { set: [], removed: [] }
  for (const text of texts) {
    if (text.endsWith('-')) {
      const [key = '', effect = ''] = text.slice(0, -1).split(':')
      change.removed.push({ key: key.split('=')[0] ?? '', effect })
      continue
    }
    const [, key = '', value, effect = ''] = /^([^=:]*)(?:=([^:]*))?:(.*)$/.exec(text) ?? []
    if (key === '') throw new CommandError(`invalid taint spec: ${text}\n${help}`)
    if (!EFFECTS.includes(effect))
      throw new CommandError(`invalid taint effect: ${effect}, unsupported taint effect\n${help}`)
    change.set.push({ key, ...(value ? { value } : {}), effect })
  }
  return change
}

async function taintOne(
  context: Context,
  node: FoundObject,
  change: TaintChange,
  flags: FlagValues,
  dryRun: DryRun,
  results: Results,
): Promise<void> {
  const before = ((node.object.spec as { taints?: Taint[] } | undefined)?.taints ?? []) as Taint[]
  const same = (a: Taint, b: Taint): boolean =>
    a.key === b.key && (b.effect === '' || a.effect === b.effect)
  const again = change.set.filter((taint) => before.some((one) => same(one, taint)))
  if (again.length > 0 && !flags.on('overwrite')) {
    throw new CommandError(
      `node ${node.name} already has a taint(s) with same effect(s) and --overwrite is false`,
    )
  }
  const missing = change.removed.find((taint) => !before.some((one) => same(one, taint)))
  if (missing)
    throw new CommandError(
      `taint "${missing.key}${missing.effect === '' ? '' : `:${missing.effect}`}" not found`,
    )
  const kept = before.filter(
    (taint) => ![...change.removed, ...change.set].some((other) => same(taint, other)),
  )
  const taints = [...change.set, ...kept]
  let object: JsonObject = {
    ...node.object,
    spec: { ...(node.object.spec as JsonObject), taints: taints as unknown as JsonObject[] },
  }
  if (dryRun !== 'client') {
    const path = pathWith(pathOfTarget(node), {
      fieldManager: flags.text('field-manager'),
      dryRun: dryRun === 'server' ? 'All' : undefined,
    })
    const body = {
      spec: { taints: taints.length === 0 ? null : (taints as unknown as JsonObject[]) },
    }
    object = (
      await context.client.send({ method: 'PATCH', path, contentType: MEDIA_TYPE.mergePatch, body })
    ).json
  }
  results.print(object, doneWord(change, again.length > 0))
}

function doneWord({ set, removed }: TaintChange, overwritten: boolean): string {
  if (set.length === 0) return 'untainted'
  return removed.length > 0 || overwritten ? 'modified' : 'tainted'
}
