import type {
  Container,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from 'kubernetes-types/core/v1'
import { timestamp } from '../../core/environment'
import { programOf, servesByDefault } from '../../simulation/program'
import type { Stored } from '../runtime/stored'
import {
  Course,
  type Intent,
  START_MILLISECONDS,
  STOPPED_EXIT_CODE,
  type Surroundings,
  stopped,
  waiting,
} from './container-lifecycle'
import { DEADLINE_EXCEEDED, type KubeletEvent, podInMessages } from './kubelet-events'

const INITIALIZING = 'PodInitializing'
const EPHEMERAL: Intent = { restarts: false, keptRunning: true, list: 'ephemeralContainers' }

export interface Next {
  status: PodStatus
  /** Milliseconds; undefined: on changes only. */
  after: number | undefined
  /** Events that the status does not show. */
  events: readonly KubeletEvent[]
}

export function nextStatus(pod: Stored<Pod>, around: Surroundings): Next {
  const { status, spec } = pod
  const startTime = status?.startTime ?? timestamp(around.now)
  const untilDeadline =
    Date.parse(startTime) +
    (spec?.activeDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000 -
    around.now
  if (untilDeadline <= 0)
    return { status: overdueStatus(pod, around), after: undefined, events: [] }
  const containers = spec?.containers ?? []
  const initContainers = spec?.initContainers ?? []
  const { alwaysRestarts } = kindOfPod(pod)
  // Init containers also wait with reason PodInitializing.
  const beforeIt = initContainers.length > 0 ? INITIALIZING : 'ContainerCreating'
  const first = new Course(
    around,
    Date.parse(startTime) + START_MILLISECONDS,
    podInMessages(pod),
    beforeIt,
  )
  // Once an app container has started, a terminated sidecar does not undo initialization.
  const wasInitialized = status?.containerStatuses?.some(hasBegun) ?? false
  let initialized = true
  const initStatuses = initContainers.map((container) => {
    const sidecar = isSidecar(container)
    const known = statusOf(status?.initContainerStatuses, container.name)
    if (!initialized) return waiting(container, known, INITIALIZING)
    const restarts = sidecar || (spec?.restartPolicy !== 'Never' && !endedWell(known))
    const next = first.of(container, known, {
      restarts,
      keptRunning: sidecar,
      list: 'initContainers',
    })
    const done = sidecar
      ? next.state?.running !== undefined && next.started === true
      : endedWell(next)
    initialized = done || wasInitialized
    return sidecar ? next : { ...next, ready: done }
  })
  const statuses = containers.map((container) => {
    const known = statusOf(status?.containerStatuses, container.name)
    if (!initialized) return waiting(container, known, INITIALIZING)
    const restarts = alwaysRestarts || (spec?.restartPolicy === 'OnFailure' && !endedWell(known))
    const keptRunning = servesByDefault(container, kindOfPod(pod))
    return first.of(container, known, { restarts, keptRunning, list: 'containers' })
  })
  const ephemeral = (spec?.ephemeralContainers ?? []).map((container) => {
    const known = statusOf(status?.ephemeralContainerStatuses, container.name)
    const { started, ...next } = first.of(container, known, EPHEMERAL)
    return { ...next, ready: false }
  })
  const phase = phaseOf(statuses, initStatuses, pod)
  const now = timestamp(around.now)
  const completed = phase === 'Succeeded'
  const failed = phase === 'Failed'
  const lasting = [
    ...initStatuses.filter((_, index) => isSidecar(initContainers[index])),
    ...statuses,
  ]
  const running =
    !completed && !failed && statuses.length > 0 && lasting.every(({ ready }) => ready)
  const gates = (spec?.readinessGates ?? []).every(({ conditionType }) =>
    isTrue(status?.conditions, conditionType),
  )
  const unready: Why = completed
    ? ['PodCompleted', '']
    : failed
      ? ['PodFailed', '']
      : ['ContainersNotReady', `containers with unready status: ${namesOfUnready(lasting)}`]
  const pending: Why = [
    'ContainersNotInitialized',
    `containers with incomplete status: ${namesOfUnready(initStatuses)}`,
  ]
  const wanted: Wanted[] = [
    ['PodReadyToStartContainers', around.mounted && !completed && !failed],
    [
      'Initialized',
      initialized,
      ...(completed ? (['PodCompleted', ''] as const) : initialized ? NO_REASON : pending),
    ],
    [
      'Ready',
      running && gates,
      ...(running && gates ? NO_REASON : running ? GATES_NOT_READY : unready),
    ],
    ['ContainersReady', running, ...(running ? NO_REASON : unready)],
    ['PodScheduled', true, ...NO_REASON],
  ]
  return {
    status: {
      ...status,
      phase,
      conditions: withConditions(status?.conditions ?? [], wanted, now),
      hostIP: around.hostIP,
      hostIPs: [{ ip: around.hostIP }],
      podIP: around.podIP,
      podIPs: [{ ip: around.podIP }],
      startTime,
      ...(initStatuses.length > 0 && {
        initContainerStatuses:
          completed || failed ? initStatuses.map((own) => stopped(own, now)) : initStatuses,
      }),
      containerStatuses: statuses,
      ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
    },
    after: Number.isFinite(untilDeadline)
      ? Math.min(first.next ?? untilDeadline, untilDeadline)
      : first.next,
    events: first.events,
  }
}

function overdueStatus(pod: Stored<Pod>, around: Ending): PodStatus {
  return {
    ...endedStatus(pod, around, false),
    reason: DEADLINE_EXCEEDED,
    message: 'Pod was active on the node longer than the specified deadline',
  }
}

/** State of a container that never started, as the kubelet reports it. */
const NEVER_SEEN = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
}

/**
 * Written before the deletion: holders of a finalizer see the result.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-phase
 */
export const statusAtItsEnd = (pod: Stored<Pod>, around: Ending): PodStatus =>
  endedStatus(pod, around, true)

type Ending = Pick<Surroundings, 'now' | 'behaviorOf' | 'courseOf'> & {
  /** Exit code of a container that handles SIGTERM. */
  codeOnTerm?(container: Container): number | undefined
}

/** @param mayBeWell Succeeded if all exit with 0 */
function endedStatus(pod: Stored<Pod>, around: Ending, mayBeWell: boolean): PodStatus {
  const { status, spec } = pod
  const now = timestamp(around.now)
  const keptRunning = (spec?.restartPolicy ?? 'Always') === 'Always'
  const initialized =
    (spec?.initContainers ?? []).length === 0 || isTrue(status?.conditions, 'Initialized')
  const containerStatuses = (spec?.containers ?? []).flatMap((container) => {
    const known = statusOf(status?.containerStatuses, container.name)
    if (known?.state?.running) {
      const serves = servesByDefault(container, kindOfPod(pod))
      const own = ownExitCode(container, known, around, serves) ?? around.codeOnTerm?.(container)
      const exitCode = own ?? (keptRunning ? 0 : STOPPED_EXIT_CODE)
      return [stopped(known, now, exitCode)]
    }
    if (known?.state?.terminated || !initialized) return known ? [known] : []
    const { lastState, ...own } = known ?? waiting(container, known, '')
    return [{ ...own, state: { terminated: lastState?.terminated ?? { ...NEVER_SEEN } } }]
  })
  const well = mayBeWell && containerStatuses.length > 0 && containerStatuses.every(endedWell)
  const reason = well ? 'PodCompleted' : 'PodFailed'
  const wanted: Wanted[] = [
    ['PodReadyToStartContainers', false],
    ['Ready', false, reason],
    ['ContainersReady', false, reason],
  ]
  return {
    ...status,
    phase: well ? 'Succeeded' : 'Failed',
    conditions: withConditions(status?.conditions ?? [], wanted, now),
    ...(status?.initContainerStatuses && {
      initContainerStatuses: status.initContainerStatuses.map((own) => stoppedInit(spec, own, now)),
    }),
    containerStatuses,
    ...(status?.ephemeralContainerStatuses && {
      ephemeralContainerStatuses: status.ephemeralContainerStatuses.map((own) =>
        stopped(own, now, STOPPED_EXIT_CODE),
      ),
    }),
  }
}

/** Sidecars exit with 0, other init containers with 143. */
function stoppedInit(spec: Pod['spec'], own: ContainerStatus, now: string): ContainerStatus {
  const container = spec?.initContainers?.find(({ name }) => name === own.name)
  return stopped(own, now, isSidecar(container) ? 0 : STOPPED_EXIT_CODE)
}

function kindOfPod({ metadata, spec }: Stored<Pod>): { alwaysRestarts: boolean; ofJob: boolean } {
  return {
    alwaysRestarts: (spec?.restartPolicy ?? 'Always') === 'Always',
    ofJob:
      metadata.ownerReferences?.some(
        ({ kind, controller }) => kind === 'Job' && controller === true,
      ) ?? false,
  }
}

/** Exit code of a program that ended before its pod. */
function ownExitCode(
  container: Container,
  known: ContainerStatus,
  around: Ending,
  keptRunning: boolean,
): number | undefined {
  const { seconds, exitCode } = programOf(
    container,
    around.behaviorOf(container),
    known.restartCount,
    keptRunning,
    around.courseOf(container, known.restartCount),
  )
  const began = Date.parse(known.state?.running?.startedAt ?? '')
  return seconds !== undefined && began + seconds * 1000 <= around.now ? exitCode : undefined
}

const isTrue = (conditions: PodCondition[] | undefined, wanted: string): boolean =>
  conditions?.some(({ type, status }) => type === wanted && status === 'True') ?? false

type Why = readonly [reason: string, message: string]
type Wanted = [type: string, holds: boolean, reason?: string, message?: string]

const NO_REASON: Why = ['', '']
const GATES_NOT_READY: Why = [
  'ReadinessGatesNotReady',
  'the status of pod readiness gate is not "True"',
]

const isSidecar = (container: Container | undefined): boolean =>
  container?.restartPolicy === 'Always'

const endedWell = (status: ContainerStatus | undefined): boolean =>
  status?.state?.terminated?.exitCode === 0

export const hasBegun = ({ state, lastState }: ContainerStatus): boolean =>
  (state?.running ?? state?.terminated ?? lastState?.terminated) !== undefined

const namesOfUnready = (statuses: readonly ContainerStatus[]): string =>
  `[${statuses
    .filter(({ ready }) => !ready)
    .map(({ name }) => name)
    .join(' ')}]`

function withConditions(present: PodCondition[], wanted: Wanted[], now: string): PodCondition[] {
  const own = wanted.map(([type, holds, reason, message]): PodCondition => {
    const before = present.find((condition) => condition.type === type)
    const status = holds ? 'True' : 'False'
    const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now
    return {
      type,
      status,
      lastTransitionTime,
      ...(reason && { reason }),
      ...(message && { message }),
    }
  })
  return [...own, ...present.filter(({ type }) => !wanted.some(([name]) => name === type))]
}

const statusOf = (
  statuses: ContainerStatus[] | undefined,
  name: string,
): ContainerStatus | undefined => statuses?.find((status) => status.name === name)

function phaseOf(
  statuses: ContainerStatus[],
  initStatuses: ContainerStatus[],
  { spec }: Stored<Pod>,
): string {
  const policy = spec?.restartPolicy ?? 'Always'
  if (
    policy === 'Never' &&
    initStatuses.some(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0)
  )
    return 'Failed'
  const ends = statuses.map(({ state }) => state?.terminated)
  if (policy !== 'Always' && ends.length > 0 && ends.every((end) => end !== undefined)) {
    if (ends.every((end) => end?.exitCode === 0)) return 'Succeeded'
    if (policy === 'Never') return 'Failed'
  }
  return statuses.some(hasBegun) ? 'Running' : 'Pending'
}
