/** `kubectl drain`: cordons a node and evicts its pods. */
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { CHUNK_SIZE_FLAG, DRY_RUN_FLAG, type DryRun, dryRunOf, LABELS_FLAG } from '../acting/flags'
import { pathWith } from '../client'
import type { Command, Context, FlagValues } from '../command'
import { pathOf } from '../discovery'
import { CommandError, StatusError } from '../errors'
import { nodesOf, setUnschedulable } from './nodes'

export const DRAIN: Command = {
  name: 'drain',
  summary: 'Drain node in preparation for maintenance',
  usage: 'drain NODE',
  examples: [
    {
      line: 'kubectl drain node-1 --ignore-daemonsets --delete-emptydir-data',
      about: 'Drain a node, including pods with local storage',
    },
  ],
  completes: 'nodes',
  flags: [
    DRY_RUN_FLAG,
    LABELS_FLAG,
    {
      name: 'force',
      type: 'on',
      about: 'Continue even if there are pods that do not declare a controller.',
    },
    { name: 'ignore-daemonsets', type: 'on', about: 'Ignore DaemonSet-managed pods.' },
    {
      name: 'delete-emptydir-data',
      type: 'on',
      about:
        'Continue even if there are pods using emptyDir (local data that will be deleted when the node is drained).',
    },
    {
      name: 'disable-eviction',
      type: 'on',
      about:
        'Force drain to use delete, even if eviction is supported. This will bypass checking PodDisruptionBudgets.',
    },
    {
      name: 'grace-period',
      type: 'number',
      default: '-1',
      about:
        'Period of time in seconds given to each pod to terminate gracefully. If negative, the default value specified in the pod is used.',
    },
    { name: 'pod-selector', type: 'text', about: 'Label selector to filter pods on the node.' },
    {
      name: 'timeout',
      type: 'duration',
      default: '0s',
      about: 'The length of time to wait before giving up; zero means to wait without a limit.',
    },
    CHUNK_SIZE_FLAG,
  ],
  async run(context, invocation) {
    const { flags } = invocation
    const dryRun = dryRunOf(flags, context)
    const nodes = await nodesOf(context, invocation, 'drain NODE [flags]')
    const failed: { name: string; error: Error }[] = []
    for (const node of nodes) {
      await setUnschedulable(context, node, true, dryRun)
      try {
        await drainNode(context, node.name, flags, dryRun)
        context.out(`node/${node.name} drained${SUFFIX[dryRun]}\n`)
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        failed.push({ name: node.name, error })
        context.err(
          `error: unable to drain node "${node.name}" due to error: ${error.message}, continuing command...\n`,
        )
      }
    }
    if (failed.length === 0) return 0
    context.err(
      `There are pending nodes to be drained:\n${failed.map(({ name }) => ` ${name}\n`).join('')}`,
    )
    for (const { error } of failed) context.err(`${error.message}\n`)
    return 1
  },
}

const SUFFIX: Record<DryRun, string> = {
  none: '',
  client: ' (dry run)',
  server: ' (server dry run)',
}

interface Pod {
  metadata: {
    name: string
    namespace: string
    uid: string
    annotations?: Record<string, string>
    deletionTimestamp?: string
    ownerReferences?: { kind: string; name: string; controller?: boolean }[]
  }
  spec?: { volumes?: { emptyDir?: object }[] }
  status?: { phase?: string }
}

const nameOf = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`
const ended = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed'
const controllerOf = ({ metadata }: Pod) =>
  metadata.ownerReferences?.find(({ controller }) => controller)

/** Why a pod blocks the drain, or the warning if a flag permits it. */
interface PodFilter {
  matches(pod: Pod): boolean
  /** The flag that permits it. */
  flag: string
  error: string
  warning: string
  /** Such pods stay on the node if the flag is set. */
  skips: boolean
}

const POD_FILTERS: PodFilter[] = [
  {
    matches: (pod) => controllerOf(pod)?.kind === 'DaemonSet' && !ended(pod),
    flag: 'ignore-daemonsets',
    error: 'cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)',
    warning: 'ignoring DaemonSet-managed Pods',
    skips: true,
  },
  {
    matches: (pod) => pod.spec?.volumes?.some(({ emptyDir }) => emptyDir) === true && !ended(pod),
    flag: 'delete-emptydir-data',
    error: 'cannot delete Pods with local storage (use --delete-emptydir-data to override)',
    warning: '',
    skips: false,
  },
  {
    matches: (pod) => controllerOf(pod) === undefined && !ended(pod),
    flag: 'force',
    error: 'cannot delete cannot delete Pods that declare no controller (use --force to override)',
    warning: 'deleting Pods that declare no controller',
    skips: false,
  },
]

/** @throws CommandError for pods that block the drain */
async function drainNode(
  context: Context,
  node: string,
  flags: FlagValues,
  dryRun: DryRun,
): Promise<void> {
  const pods = await podsOn(context, node, flags.text('pod-selector'))
  const errors = new Map<string, string[]>()
  const warnings = new Map<string, string[]>()
  const going: Pod[] = []
  for (const pod of pods) {
    const filter = POD_FILTERS.find(
      (one) => one.matches(pod) && (!flags.on(one.flag) || one.skips || one.warning !== ''),
    )
    const allowed = filter === undefined || flags.on(filter.flag)
    const into = allowed ? warnings : errors
    const word = filter === undefined ? '' : allowed ? filter.warning : filter.error
    if (word !== '') into.set(word, [...(into.get(word) ?? []), nameOf(pod)])
    if (allowed && !filter?.skips) going.push(pod)
  }
  const listed = (map: Map<string, string[]>): string =>
    [...map].map(([word, names]) => `${word}: ${names.join(', ')}`).join('; ')
  if (errors.size > 0) throw new CommandError(listed(errors))
  if (warnings.size > 0) context.err(`Warning: ${listed(warnings)}\n`)
  const deadline =
    flags.duration('timeout') === 0
      ? Number.POSITIVE_INFINITY
      : context.clock.now() + flags.duration('timeout')
  for (const pod of going)
    context.out(
      `${flags.on('disable-eviction') ? 'deleting' : 'evicting'} pod ${nameOf(pod)}${SUFFIX[dryRun]}\n`,
    )
  if (dryRun === 'client') return
  await Promise.all(going.map((pod) => evictOrDelete(context, pod, flags, dryRun, deadline)))
}

async function podsOn(context: Context, node: string, labelSelector: string): Promise<Pod[]> {
  const resource = await context.discovery.find('pods')
  const { items } = await context.client.get(
    pathWith(pathOf(resource, undefined), {
      labelSelector,
      fieldSelector: `spec.nodeName=${node}`,
    }),
  )
  return (Array.isArray(items) ? items.filter(isJsonObject) : []) as unknown as Pod[]
}

const PAUSE = 5000
const STEP = 1000

async function evictOrDelete(
  context: Context,
  pod: Pod,
  flags: FlagValues,
  dryRun: DryRun,
  deadline: number,
): Promise<void> {
  const { client, clock, discovery, signal, out, err } = context
  const resource = await discovery.find('pods')
  const { name, namespace, uid } = pod.metadata
  const path = pathOf(resource, namespace, name)
  const grace = flags.number('grace-period')
  const deleteOptions: JsonObject = {
    ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}),
    ...(dryRun === 'server' ? { dryRun: ['All'] } : {}),
  }
  const byDeleting = flags.on('disable-eviction')
  const timedOut = (): CommandError =>
    new CommandError(
      `error when waiting for pod ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)} to terminate: global timeout reached: ${flags.text('timeout')}`,
    )
  for (let reported = false; !reported && !signal.aborted; ) {
    try {
      if (byDeleting) await client.send({ method: 'DELETE', path, body: deleteOptions })
      else
        await client.send({
          method: 'POST',
          path: `${path}/eviction`,
          body: {
            kind: 'Eviction',
            apiVersion: 'policy/v1',
            metadata: { name, namespace },
            deleteOptions,
          },
        })
      reported = true
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      if (error.code === 404) return
      if (error.code !== 429)
        throw new CommandError(
          `error when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)}: ${error.message}`,
        )
      if (clock.now() >= deadline) throw timedOut()
      err(
        `error when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)} (will retry after 5s): ${error.message}\n`,
      )
      await clock.sleep(PAUSE, signal)
    }
  }
  if (dryRun === 'server') return
  for (; !signal.aborted; await clock.sleep(STEP, signal)) {
    const live = await client.get(path).catch((error: unknown) => {
      if (error instanceof StatusError && error.code === 404) return undefined
      throw error
    })
    if (live === undefined || (live.metadata as JsonObject).uid !== uid) {
      out(`pod/${name} ${byDeleting ? 'deleted' : 'evicted'}\n`)
      return
    }
    if (clock.now() >= deadline) throw timedOut()
  }
}
