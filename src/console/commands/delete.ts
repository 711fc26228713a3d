/** Waits until the objects are gone. */
import { entryOf, isJsonObject, type JsonObject } from '../../engine/core/object'
import { Failures } from '../acting/failures'
import {
  ALL_FLAG,
  DRY_RUN_FLAG,
  type DryRun,
  dryRunOf,
  EVERYWHERE_FLAG,
  FIELDS_FLAG,
  LABELS_FLAG,
  RECURSIVE_FLAG,
} from '../acting/flags'
import { filedObjects, foundObjects } from '../acting/objects'
import type { Command, Context, FlagValues } from '../command'
import { CommandError, StatusError } from '../errors'
import { pathOfTarget, select, type Target } from '../targets'
import { FILE_FLAGS } from './common-flags'

export const DELETE: Command = {
  name: 'delete',
  summary:
    'Delete resources by file names, stdin, resources and names, or by resources and label selector',
  usage: 'delete ([-f FILENAME] | TYPE [(NAME | -l label | --all)])',
  examples: [
    { line: 'kubectl delete pod web-1', about: 'Delete a pod' },
    {
      line: 'kubectl delete deployments,services -l app=web',
      about: 'Delete deployments and services with label app=web',
    },
    { line: 'kubectl delete -f web.yaml', about: 'Delete the resources of an open file' },
    {
      line: 'kubectl delete deployment web --cascade=orphan',
      about: 'Delete a deployment and keep its replica sets and pods',
    },
  ],
  completes: 'objects',
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    LABELS_FLAG,
    FIELDS_FLAG,
    EVERYWHERE_FLAG,
    ALL_FLAG,
    RECURSIVE_FLAG,
    {
      name: 'cascade',
      type: 'text',
      default: 'background',
      bare: 'background',
      values: ['background', 'foreground', 'orphan'],
      about:
        'Must be "background", "orphan", or "foreground". Selects the deletion cascading strategy for the dependents.',
    },
    {
      name: 'force',
      type: 'on',
      about:
        'If true, immediately remove resources from API and bypass graceful deletion. Requires --grace-period=0.',
    },
    {
      name: 'grace-period',
      type: 'number',
      default: '-1',
      about:
        'Period of time in seconds given to the resource to terminate gracefully. Ignored if negative.',
    },
    {
      name: 'ignore-not-found',
      type: 'on',
      about: 'Treat "resource not found" as a successful delete.',
    },
    {
      name: 'now',
      type: 'on',
      about: 'If true, resources are signaled for immediate shutdown (same as --grace-period=1).',
    },
    {
      name: 'output',
      short: 'o',
      type: 'text',
      values: ['name'],
      about: 'Output mode. Use "-o name" for shorter output (resource/name).',
    },
    {
      name: 'timeout',
      type: 'duration',
      default: '0s',
      about: 'The length of time to wait before giving up; zero means to wait without a limit.',
    },
    {
      name: 'wait',
      type: 'on',
      default: 'true',
      about: 'If true, wait for resources to be gone before returning. This waits for finalizers.',
    },
    {
      name: 'interactive',
      short: 'i',
      type: 'on',
      unavailable: 'there is no prompt',
    },
    { name: 'raw', type: 'text', unavailable: 'use kubectl get --raw or a script' },
  ],
  async run(context, { args, flags }) {
    const output = flags.text('output')
    if (!['', 'name'].includes(output))
      throw new CommandError(`unexpected -o output mode: ${output}. We only support '-o name'`)
    const way = wayOf(flags, dryRunOf(flags, context))
    if (flags.on('all') && flags.text('selector') !== '')
      throw new CommandError("setting 'all' parameter but found a non empty selector. ")
    const failures = new Failures()
    const targets = await targetsOf(context, args, flags, failures)
    if (way.forced) context.err(FORCED)
    const gone: Target[] = []
    let found = 0
    let warned = false
    for (const target of targets) {
      found++
      if (target.namespace === undefined && context.namespaceGiven && !warned) {
        warned = true
        context.err(
          'Warning: deleting cluster-scoped resources, not scoped to the provided namespace\n',
        )
      }
      await failures.during(() => deleteOne(context, target, flags, way, gone))
    }
    failures.throwIfAny()
    if (found === 0) context.out('No resources found\n')
    if (flags.on('wait') && way.dryRun === 'none' && found > 0)
      await untilGone(context, gone, flags.duration('timeout'))
    return 0
  },
}

const FORCED =
  'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n'
const POLICY: Record<string, string> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
}

interface Way {
  dryRun: DryRun
  forced: boolean
  body: JsonObject
}

/** @throws CommandError for conflicting flags */
function wayOf(flags: FlagValues, dryRun: DryRun): Way {
  const cascade = flags
    .text('cascade')
    .replace(/^true$/, 'background')
    .replace(/^false$/, 'orphan')
  const propagationPolicy = entryOf(POLICY, cascade)
  if (propagationPolicy === undefined)
    throw new CommandError(
      `invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"`,
    )
  let grace = flags.number('grace-period')
  if (flags.on('now')) {
    if (grace !== -1)
      throw new CommandError('--now and --grace-period cannot be specified together')
    grace = 1
  }
  const force = flags.on('force')
  if (force && grace > 0)
    throw new CommandError('--force and --grace-period greater than 0 cannot be specified together')
  if (force) grace = 0
  else if (grace === 0) grace = 1
  return {
    dryRun,
    forced: force,
    body: {
      ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}),
      propagationPolicy,
      ...(dryRun === 'server' ? { dryRun: ['All'] } : {}),
    },
  }
}

/** Looks up objects of a selector first, but not named ones. */
async function targetsOf(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  failures: Failures,
): Promise<Target[]> {
  const targets: Target[] = []
  if (flags.has('filename')) {
    if (args.length > 0) await select(context, { args, files: flags.list('filename') })
    for await (const target of filedObjects(context, flags.list('filename'), failures))
      targets.push(target)
    return targets
  }
  const selection = await select(context, {
    args,
    selector: flags.text('selector') || undefined,
    fieldSelector: flags.text('field-selector') || undefined,
    all: flags.on('all'),
    allNamespaces: flags.on('all-namespaces'),
  })
  if (selection.lists.length === 0) return selection.targets
  for await (const target of foundObjects(context, selection, failures)) targets.push(target)
  return targets
}

async function deleteOne(
  context: Context,
  target: Target,
  flags: FlagValues,
  { dryRun, forced, body }: Way,
  gone: Target[],
): Promise<void> {
  const { client } = context
  const quoted =
    target.source === undefined ? '' : `error when deleting ${JSON.stringify(target.source)}`
  try {
    if (dryRun === 'client') await client.get(pathOfTarget(target))
    else await client.send({ method: 'DELETE', path: pathOfTarget(target), body })
  } catch (error) {
    if (error instanceof CommandError && quoted !== '')
      throw new CommandError(`${quoted}: ${error.message}`)
    if (!(error instanceof StatusError)) throw error
    const optional =
      flags.on('ignore-not-found') || flags.on('all') || flags.text('selector') !== ''
    if (error.code === 404 && optional) return
    throw quoted === '' ? error : error.during(quoted)
  }
  const { resource, name } = target
  const type = resource.kind.toLowerCase() + (resource.group === '' ? '' : `.${resource.group}`)
  const suffix = { none: '', client: ' (dry run)', server: ' (server dry run)' }[dryRun]
  context.out(
    flags.text('output') === 'name'
      ? `${type}/${name}\n`
      : `${type} "${name}"${forced ? ' force' : ''} deleted${suffix}\n`,
  )
  if (dryRun === 'none') gone.push(target)
}

const STEP = 100

/** @throws CommandError after the timeout */
export async function untilGone(
  context: Context,
  targets: readonly Target[],
  timeout: number,
): Promise<void> {
  const { client, clock, signal } = context
  const end = clock.now() + timeout
  const uids = new Map<Target, string>()
  for (const target of targets) {
    for (let step = STEP; !signal.aborted; step = Math.min(step * 2, 2000)) {
      const live = await client.get(pathOfTarget(target)).catch((error: unknown) => {
        if (error instanceof StatusError && error.code === 404) return undefined
        throw error
      })
      const uid = isJsonObject(live?.metadata) ? String(live.metadata.uid) : undefined
      if (uid === undefined || (uids.has(target) && uids.get(target) !== uid)) break
      uids.set(target, uid)
      if (timeout > 0 && clock.now() >= end)
        throw new CommandError(
          `timed out waiting for the condition on ${target.resource.resource}/${target.name}`,
        )
      await clock.sleep(step, signal)
    }
  }
}
