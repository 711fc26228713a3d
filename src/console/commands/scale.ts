/** `kubectl scale` and `kubectl autoscale` */
import { MEDIA_TYPE } from '../../engine/core/names'
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { Failures } from '../acting/failures'
import {
  ALL_FLAG,
  DRY_RUN_FLAG,
  dryRunOf,
  fieldManagerFlag,
  LABELS_FLAG,
  RECURSIVE_FLAG,
  SAVE_CONFIG_FLAG,
  VALIDATE_FLAG,
} from '../acting/flags'
import { type FoundObject, foundObjects } from '../acting/objects'
import { Results } from '../acting/results'
import { retryOnConflict } from '../acting/retry-on-conflict'
import { pathWith } from '../client'
import type { Command, Context, FlagValues } from '../command'
import { apiVersionOf } from '../discovery'
import { CommandError } from '../errors'
import { OUTPUT_FLAGS } from '../output/printer'
import { pathOfTarget, select, type Target } from '../targets'
import { FILE_FLAGS } from './common-flags'
import { createTyped, newMetadata } from './create/generator'

export const SCALE: Command = {
  name: 'scale',
  summary: 'Set a new size for a deployment, replica set, or replication controller',
  usage:
    'scale [--resource-version=version] [--current-replicas=count] --replicas=COUNT (-f FILENAME | TYPE NAME)',
  examples: [
    { line: 'kubectl scale deployment web --replicas=3', about: 'Scale a deployment to 3' },
    {
      line: 'kubectl scale deployment web --current-replicas=2 --replicas=3',
      about: 'Scale it to 3 if its current size is 2',
    },
  ],
  completes: 'objects',
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    ...OUTPUT_FLAGS,
    LABELS_FLAG,
    ALL_FLAG,
    RECURSIVE_FLAG,
    { name: 'replicas', type: 'number', about: 'The new desired number of replicas. Required.' },
    {
      name: 'current-replicas',
      type: 'number',
      default: '-1',
      about:
        'Precondition for current size. Requires that the current size of the resource match this value in order to scale. -1 (default) for no condition.',
    },
    {
      name: 'resource-version',
      type: 'text',
      about:
        'Precondition for resource version. Requires that the current resource version match this value in order to scale.',
    },
    {
      name: 'timeout',
      type: 'duration',
      default: '0s',
      about:
        "The length of time to wait before giving up on a scale operation, zero means don't wait.",
    },
  ],
  async run(context, { args, flags }) {
    if (!flags.has('replicas')) throw new CommandError('required flag(s) "replicas" not set')
    if (flags.number('replicas') < 0)
      throw new CommandError(
        'The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0',
      )
    const dryRun = dryRunOf(flags, context)
    const results = new Results(context, flags, dryRun)
    const failures = new Failures()
    const selection = await select(context, {
      args,
      files: flags.list('filename'),
      selector: flags.text('selector') || undefined,
      all: flags.on('all'),
    })
    const found: FoundObject[] = []
    for await (const target of foundObjects(context, selection, failures)) found.push(target)
    if (found.length === 0) throw new CommandError('no objects passed to scale')
    for (const target of found) {
      await failures.during(async () => {
        if (dryRun !== 'client') await scaleTo(context, target, flags, dryRun === 'server')
        if (flags.duration('timeout') > 0 && dryRun === 'none')
          await untilScaled(context, target, flags)
        results.print(target.object, 'scaled')
      })
    }
    failures.throwIfAny()
    return 0
  },
}

const specReplicas = ({ spec }: JsonObject): number =>
  isJsonObject(spec) ? Number(spec.replicas ?? 0) : 0

/** Retry duration and pause, in milliseconds. */
const PATIENCE = { all: 5 * 60_000, pause: 1000 }

/** @throws CommandError if the current number differs from the expected one; StatusError */
async function scaleTo(
  { client, clock, signal }: Context,
  target: Target,
  flags: FlagValues,
  dryRun: boolean,
): Promise<void> {
  const path = pathOfTarget(target, 'scale')
  const query = { fieldManager: 'kubectl', dryRun: dryRun ? 'All' : undefined }
  const [expected, version, replicas] = [
    flags.number('current-replicas'),
    flags.text('resource-version'),
    flags.number('replicas'),
  ]
  if (expected < 0 && version === '') {
    await client.send({
      method: 'PATCH',
      path: pathWith(path, query),
      contentType: MEDIA_TYPE.mergePatch,
      body: { spec: { replicas } },
    })
    return
  }
  const update = async (): Promise<void> => {
    const live = await client.get(path)
    const now = specReplicas(live)
    if (expected >= 0 && now !== expected)
      throw new CommandError(`Expected replicas to be ${expected}, was ${now}`)
    const { resourceVersion } = live.metadata as { resourceVersion: string }
    if (version !== '' && resourceVersion !== version)
      throw new CommandError(`Expected resource version to be ${version}, was ${resourceVersion}`)
    await client.send({
      method: 'PUT',
      path: pathWith(path, query),
      body: { ...live, spec: { ...(live.spec as JsonObject), replicas } },
    })
  }
  const end = clock.now() + PATIENCE.all
  await retryOnConflict(update, async () => {
    if (clock.now() >= end) throw new CommandError('context deadline exceeded')
    await clock.sleep(PATIENCE.pause, signal)
    return !signal.aborted
  })
}

async function untilScaled(
  { client, clock, signal }: Context,
  target: Target,
  flags: FlagValues,
): Promise<void> {
  const end = clock.now() + flags.duration('timeout')
  for (;;) {
    const live = await client.get(pathOfTarget(target, 'scale'))
    const { status } = live as { status?: { replicas?: number } }
    if (signal.aborted || status?.replicas === specReplicas(live)) return
    if (clock.now() >= end)
      throw new CommandError(`timed out waiting for ${JSON.stringify(target.name)} to be synced`)
    await clock.sleep(1000, signal)
  }
}

export const AUTOSCALE: Command = {
  name: 'autoscale',
  summary: 'Auto-scale a deployment, replica set, stateful set, or replication controller',
  usage:
    'autoscale (-f FILENAME | TYPE NAME | TYPE/NAME) [--min=MINPODS] --max=MAXPODS [--cpu-percent=CPU]',
  examples: [
    {
      line: 'kubectl autoscale deployment web --min=2 --max=10 --cpu-percent=80',
      about:
        'Auto scale a deployment, with the number of pods between 2 and 10 and target CPU utilization at 80%',
    },
  ],
  completes: 'objects',
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    fieldManagerFlag('kubectl-autoscale'),
    ...OUTPUT_FLAGS,
    SAVE_CONFIG_FLAG,
    RECURSIVE_FLAG,
    {
      name: 'min',
      type: 'number',
      default: '-1',
      about:
        "The lower limit for the number of pods that can be set by the autoscaler. If it's not specified or negative, the server will apply a default value.",
    },
    {
      name: 'max',
      type: 'number',
      default: '-1',
      about: 'The upper limit for the number of pods that can be set by the autoscaler. Required.',
    },
    {
      name: 'cpu-percent',
      type: 'number',
      default: '-1',
      about:
        'The target average CPU utilization (represented as a percent of requested CPU) over all the pods.',
    },
    {
      name: 'name',
      type: 'text',
      about:
        'The name for the newly created object. If not specified, the name of the input resource will be used.',
    },
    VALIDATE_FLAG,
  ],
  async run(context, invocation) {
    const { args, flags } = invocation
    if (!flags.has('max')) throw new CommandError('required flag(s) "max" not set')
    const [least, most, percent] = [
      flags.number('min'),
      flags.number('max'),
      flags.number('cpu-percent'),
    ]
    if (most < 1)
      throw new CommandError(`--max=MAXPODS is required and must be at least 1, max: ${most}`)
    if (most < least)
      throw new CommandError(
        `--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${most}, min: ${least}`,
      )
    const dryRun = dryRunOf(flags, context)
    const failures = new Failures()
    for await (const target of foundObjects(
      context,
      await select(context, { args, files: flags.list('filename') }),
      failures,
    )) {
      await failures.during(async () => {
        const { resource, name } = target
        if (!resource.subresources.includes('scale')) {
          const where = `${apiVersionOf(resource)}, Resource=${resource.resource}`
          throw new CommandError(
            `cannot autoscale a ${resource.kind}: could not find scale subresource for ${resource.group === '' ? '/' : ''}${where} in discovery information`,
          )
        }
        const autoscaler = {
          kind: 'HorizontalPodAutoscaler',
          apiVersion: 'autoscaling/v1',
          metadata: newMetadata(flags.text('name') || name),
          spec: {
            scaleTargetRef: { kind: resource.kind, name, apiVersion: apiVersionOf(resource) },
            ...(least > 0 ? { minReplicas: least } : {}),
            maxReplicas: most,
            ...(percent >= 0 ? { targetCPUUtilizationPercentage: percent } : {}),
          },
          status: { currentReplicas: 0, desiredReplicas: 0 },
        }
        await createTyped(
          context,
          invocation,
          'horizontalpodautoscalers.v1.autoscaling',
          autoscaler,
          dryRun,
          'autoscaled',
        )
      })
    }
    failures.throwIfAny()
    return 0
  },
}
