/** From what a pod wants and what its status says to what its status is next, and when there will be more to say. */
import type { Container, ContainerStateTerminated, ContainerStatus, Pod, PodCondition, PodStatus } from 'kubernetes-types/core/v1'
import { timestamp } from '../../environment'
import { goDuration } from '../../schema/go-duration'
import type { Behaviour } from '../../simulation/behaviour'
import { programOf, servesByDefault } from '../../simulation/program'
import type { Stored } from '../runtime/stored'
import { DEADLINE_EXCEEDED, NEVER_PULLED, podInMessages } from './happenings'

/** Images are there, and containers begin, so long after a pod came to its node. */
const START_MILLISECONDS = 1000
/** An image that cannot be had is asked for again; that it cannot is said first, then that one waits. */
const PULL_MILLISECONDS = 10_000
/**
 * A container that ended is begun again: at once the first time and when it had run long, else after a time that doubles with each
 * end (public documentation, "Pod Lifecycle", "How Pods handle problems with containers").
 */
const FIRST_BACKOFF_MILLISECONDS = 10_000
const LONGEST_BACKOFF_MILLISECONDS = 300_000
const LONG_RUN_MILLISECONDS = 600_000
const INITIALIZING = 'PodInitializing'
const CONFIG_ERROR = 'CreateContainerConfigError'

export interface Surroundings {
  now: number
  hostIP: string
  /** The address that the pod has, or gets. */
  podIP: string
  behaviourOf(container: Container): Behaviour
  /** Its volumes are there: without them no container begins. */
  mounted: boolean
  /** Why a container cannot be made of what is asked for. */
  containerProblem(container: Container): string | undefined
}

export interface Next {
  status: PodStatus
  /** Milliseconds until the status will be another one; undefined: not by itself. */
  after: number | undefined
}

export function nextStatus(pod: Stored<Pod>, around: Surroundings): Next {
  const { status, spec } = pod
  const startTime = status?.startTime ?? timestamp(around.now)
  const untilDeadline = Date.parse(startTime) + (spec?.activeDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000 - around.now
  if (untilDeadline <= 0) return { status: overdueStatus(pod, around), after: undefined }
  const containers = spec?.containers ?? []
  const initContainers = spec?.initContainers ?? []
  const keptRunning = (spec?.restartPolicy ?? 'Always') === 'Always'
  // Where there are containers that prepare the pod, they too are said to wait for just that.
  const beforeIt = initContainers.length > 0 ? INITIALIZING : 'ContainerCreating'
  const first = new Course(around, Date.parse(startTime) + START_MILLISECONDS, podInMessages(pod), beforeIt)
  // Once a container of the pod itself began, a sidecar that ends does not take that back.
  const wasInitialized = status?.containerStatuses?.some(hasBegun) ?? false
  let initialized = true
  const initStatuses = initContainers.map((container) => {
    const sidecar = isSidecar(container)
    const known = statusOf(status?.initContainerStatuses, container.name)
    if (!initialized) return waiting(container, known, INITIALIZING)
    const restarts = sidecar || (spec?.restartPolicy !== 'Never' && !endedWell(known))
    const next = first.of(container, known, { restarts, keptRunning: sidecar })
    const done = sidecar ? next.state?.running !== undefined : endedWell(next)
    initialized = done || wasInitialized
    return sidecar ? next : { ...next, ready: done }
  })
  const statuses = containers.map((container) => {
    const known = statusOf(status?.containerStatuses, container.name)
    if (!initialized) return waiting(container, known, INITIALIZING)
    const restarts = keptRunning || (spec?.restartPolicy === 'OnFailure' && !endedWell(known))
    return first.of(container, known, { restarts, keptRunning: servesByDefault(container, kindOfPod(pod)) })
  })
  const ephemeral = (spec?.ephemeralContainers ?? []).map((container) => {
    const known = statusOf(status?.ephemeralContainerStatuses, container.name)
    const { started, ...next } = first.of(container, known, { restarts: false, keptRunning: true })
    return { ...next, ready: false }
  })
  const phase = phaseOf(statuses, initStatuses, pod)
  const now = timestamp(around.now)
  const completed = phase === 'Succeeded'
  const failed = phase === 'Failed'
  const lasting = [...initStatuses.filter((_, index) => isSidecar(initContainers[index])), ...statuses]
  const running = !completed && !failed && statuses.length > 0 && lasting.every(({ ready }) => ready)
  const gates = (spec?.readinessGates ?? []).every(({ conditionType }) => isTrue(status?.conditions, conditionType))
  const unready: Why = completed
    ? ['PodCompleted', '']
    : failed
      ? ['PodFailed', '']
      : ['ContainersNotReady', `containers with unready status: ${namesOfUnready(lasting)}`]
  const pending: Why = ['ContainersNotInitialized', `containers with incomplete status: ${namesOfUnready(initStatuses)}`]
  const wanted: Wanted[] = [
    ['PodReadyToStartContainers', !completed && !failed],
    ['Initialized', initialized, ...(completed ? (['PodCompleted', ''] as const) : initialized ? NO_REASON : pending)],
    ['Ready', running && gates, ...(running && gates ? NO_REASON : running ? GATES_NOT_READY : unready)],
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
        initContainerStatuses: completed || failed ? initStatuses.map((own) => stopped(own, now)) : initStatuses,
      }),
      containerStatuses: statuses,
      ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
    },
    after: Number.isFinite(untilDeadline) ? Math.min(first.next ?? untilDeadline, untilDeadline) : first.next,
  }
}

/** The status of a pod that ran for longer than its `activeDeadlineSeconds` (API reference). */
function overdueStatus(pod: Stored<Pod>, around: Ending): PodStatus {
  return {
    ...endedStatus(pod, around, false),
    reason: DEADLINE_EXCEEDED,
    message: 'Pod was active on the node longer than the specified deadline',
  }
}

/** What a container that stops when it is told to ends with: who serves ends well, work that is cut short does not (SIGTERM). */
const STOPPED_EXIT_CODE = 143

/** What is told of a container that never began when its pod was ended (words and code of real agents). */
const NEVER_SEEN = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
}

/**
 * The status of a pod that was deleted, once its containers have stopped: it comes to its end before it goes, so that whoever holds
 * it by a finalizer knows what became of it (public documentation, "Pod Lifecycle", "Pod phase").
 */
export const statusAtItsEnd = (pod: Stored<Pod>, around: Ending): PodStatus => endedStatus(pod, around, true)

type Ending = Pick<Surroundings, 'now' | 'behaviourOf'>

/** @param mayBeWell it counts as done well if all of its containers end well */
function endedStatus(pod: Stored<Pod>, around: Ending, mayBeWell: boolean): PodStatus {
  const { status, spec } = pod
  const now = timestamp(around.now)
  const keptRunning = (spec?.restartPolicy ?? 'Always') === 'Always'
  const initialized = (spec?.initContainers ?? []).length === 0 || isTrue(status?.conditions, 'Initialized')
  const containerStatuses = (spec?.containers ?? []).flatMap((container) => {
    const known = statusOf(status?.containerStatuses, container.name)
    if (known?.state?.running) {
      const serves = servesByDefault(container, kindOfPod(pod))
      const exitCode = ownExitCode(container, known, around, serves) ?? (keptRunning ? 0 : STOPPED_EXIT_CODE)
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
    ...(status?.initContainerStatuses && { initContainerStatuses: status.initContainerStatuses.map((own) => stoppedInit(spec, own, now)) }),
    containerStatuses,
    ...(status?.ephemeralContainerStatuses && {
      ephemeralContainerStatuses: status.ephemeralContainerStatuses.map((own) => stopped(own, now, STOPPED_EXIT_CODE)),
    }),
  }
}

/** A sidecar ends when it is told to; an init container that still works is killed. */
function stoppedInit(spec: Pod['spec'], own: ContainerStatus, now: string): ContainerStatus {
  const container = spec?.initContainers?.find(({ name }) => name === own.name)
  return stopped(own, now, isSidecar(container) ? 0 : STOPPED_EXIT_CODE)
}

function kindOfPod({ metadata, spec }: Stored<Pod>): { alwaysRestarts: boolean; ofJob: boolean } {
  return {
    alwaysRestarts: (spec?.restartPolicy ?? 'Always') === 'Always',
    ofJob: metadata.ownerReferences?.some(({ kind, controller }) => kind === 'Job' && controller === true) ?? false,
  }
}

/** What a container ended with that came to its own end before it was stopped. */
function ownExitCode(container: Container, known: ContainerStatus, around: Ending, keptRunning: boolean): number | undefined {
  const { seconds, exitCode } = programOf(container, around.behaviourOf(container), known.restartCount, keptRunning)
  const began = Date.parse(known.state?.running?.startedAt ?? '')
  return seconds !== undefined && began + seconds * 1000 <= around.now ? exitCode : undefined
}

const isTrue = (conditions: PodCondition[] | undefined, wanted: string): boolean =>
  conditions?.some(({ type, status }) => type === wanted && status === 'True') ?? false

type Why = readonly [reason: string, message: string]
type Wanted = [type: string, holds: boolean, reason?: string, message?: string]

const NO_REASON: Why = ['', '']
const GATES_NOT_READY: Why = ['ReadinessGatesNotReady', 'the status of pod readiness gate is not "True"']

const isSidecar = (container: Container | undefined): boolean => container?.restartPolicy === 'Always'

const endedWell = (status: ContainerStatus | undefined): boolean => status?.state?.terminated?.exitCode === 0

/** It runs, or ran before. */
export const hasBegun = ({ state, lastState }: ContainerStatus): boolean =>
  (state?.running ?? state?.terminated ?? lastState?.terminated) !== undefined

/** A container that runs no more: a sidecar ends when the pod's own containers have (public documentation, "Sidecar Containers"). */
function stopped(status: ContainerStatus, now: string, exitCode = 0): ContainerStatus {
  const { state, containerID } = status
  if (!state?.running) return status
  const { started, ...known } = status
  const terminated = endOf(exitCode, { startedAt: state.running.startedAt, finishedAt: now, containerID })
  return { ...known, ready: false, ...(started !== undefined && { started: false }), state: { terminated } }
}

const endOf = (
  exitCode: number,
  { containerID, ...times }: Pick<ContainerStateTerminated, 'startedAt' | 'finishedAt' | 'containerID'>,
) => ({
  exitCode,
  reason: exitCode === 0 ? 'Completed' : 'Error',
  ...times,
  ...(containerID && { containerID }),
})

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
    return { type, status, lastTransitionTime, ...(reason && { reason }), ...(message && { message }) }
  })
  return [...own, ...present.filter(({ type }) => !wanted.some(([name]) => name === type))]
}

const statusOf = (statuses: ContainerStatus[] | undefined, name: string): ContainerStatus | undefined =>
  statuses?.find((status) => status.name === name)

function phaseOf(statuses: ContainerStatus[], initStatuses: ContainerStatus[], { spec }: Stored<Pod>): string {
  const policy = spec?.restartPolicy ?? 'Always'
  if (policy === 'Never' && initStatuses.some(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0)) return 'Failed'
  const ends = statuses.map(({ state }) => state?.terminated)
  if (policy !== 'Always' && ends.length > 0 && ends.every((end) => end !== undefined)) {
    if (ends.every((end) => end?.exitCode === 0)) return 'Succeeded'
    if (policy === 'Never') return 'Failed'
  }
  return statuses.some(hasBegun) ? 'Running' : 'Pending'
}

function waiting(container: Container, known: ContainerStatus | undefined, reason: string): ContainerStatus {
  return { ...described(container, known), ready: false, started: false, state: { waiting: { reason } } }
}

function described({ name, image = '' }: Container, known: ContainerStatus | undefined) {
  return {
    name,
    image,
    imageID: known?.imageID ?? '',
    restartCount: known?.restartCount ?? 0,
    ...(known?.lastState && { lastState: known.lastState }),
  }
}

/** @returns milliseconds between a container's end and its next beginning */
function backoffAfter({ startedAt = '', finishedAt = '' }: ContainerStateTerminated, restarts: number): number {
  if (restarts === 0 || Date.parse(finishedAt) - Date.parse(startedAt) >= LONG_RUN_MILLISECONDS) return 0
  return Math.min(FIRST_BACKOFF_MILLISECONDS * 2 ** (restarts - 1), LONGEST_BACKOFF_MILLISECONDS)
}

/** How containers go on, and the soonest time at which one of them will. */
class Course {
  next: number | undefined

  constructor(
    private readonly around: Surroundings,
    private readonly start: number,
    /** The pod, as messages name it. */
    private readonly pod: string,
    /** Why its containers wait before they are begun. */
    private readonly beforeIt: string,
  ) {}

  of(
    container: Container,
    known: ContainerStatus | undefined,
    { restarts, keptRunning }: { restarts: boolean; keptRunning: boolean },
  ): ContainerStatus {
    const { now } = this.around
    if (known?.state?.running) return this.running(container, known, keptRunning)
    const ended =
      known?.state?.terminated ?? (known?.state?.waiting?.reason === 'CrashLoopBackOff' ? known.lastState?.terminated : undefined)
    if (known && ended) {
      if (!restarts) return known
      const wait = backoffAfter(ended, known.restartCount)
      const due = Date.parse(ended.finishedAt ?? '') + wait
      if (this.later(due)) {
        const message = `back-off ${goDuration(wait)} restarting failed container=${container.name} pod=${this.pod}`
        return {
          ...known,
          ready: false,
          started: false,
          lastState: { terminated: ended },
          state: { waiting: { reason: 'CrashLoopBackOff', message } },
        }
      }
      return this.begun(container, { ...known, restartCount: known.restartCount + 1, lastState: { terminated: ended } })
    }
    if (!this.around.mounted) return waiting(container, known, this.beforeIt)
    const behaviour = this.around.behaviourOf(container)
    if (behaviour.pull === 'fails') return this.withoutImage(container, known)
    const start = this.start + (behaviour.startsAfter === undefined ? 0 : behaviour.startsAfter * 1000 - START_MILLISECONDS)
    if (now < start && this.later(start)) return waiting(container, known, this.beforeIt)
    return this.begun(container, known)
  }

  private withoutImage(container: Container, known: ContainerStatus | undefined): ContainerStatus {
    const { image = '', imagePullPolicy } = container
    if (this.around.now < this.start && this.later(this.start)) return waiting(container, known, this.beforeIt)
    if (imagePullPolicy === 'Never') {
      const message = `Container image "${image}" is not present with pull policy of Never`
      return { ...waiting(container, known, NEVER_PULLED), state: { waiting: { reason: NEVER_PULLED, message } } }
    }
    const [reason, message] = this.later(this.start + PULL_MILLISECONDS)
      ? ['ErrImagePull', `failed to pull and unpack image "${image}": not found`]
      : ['ImagePullBackOff', `Back-off pulling image "${image}"`]
    return { ...waiting(container, known, reason), state: { waiting: { reason, message } } }
  }

  /** When a container that began then is ready, in milliseconds; undefined: never. */
  private readyAt(container: Container, began: number): number | undefined {
    const { readyAfter } = this.around.behaviourOf(container)
    if (readyAfter === 'never') return undefined
    return began + (readyAfter ?? container.readinessProbe?.initialDelaySeconds ?? 0) * 1000
  }

  private begun(container: Container, known: ContainerStatus | undefined): ContainerStatus {
    const { now } = this.around
    const message = this.around.containerProblem(container)
    if (message !== undefined) return { ...waiting(container, known, CONFIG_ERROR), state: { waiting: { reason: CONFIG_ERROR, message } } }
    const imageID = `simulated://${container.image ?? ''}`
    const containerID = `simulated://${container.name}-${known?.restartCount ?? 0}`
    const status: ContainerStatus = {
      ...described(container, known),
      imageID,
      containerID,
      ready: false,
      started: true,
      state: { running: { startedAt: timestamp(now) } },
    }
    const ready = this.readyAt(container, now)
    status.ready = ready !== undefined && !this.later(ready)
    // How it goes on from here is asked when it has begun.
    this.later(now + 1)
    return status
  }

  private running(container: Container, known: ContainerStatus, keptRunning: boolean): ContainerStatus {
    const startedAt = known.state?.running?.startedAt ?? timestamp(this.around.now)
    const began = Date.parse(startedAt)
    const { seconds, exitCode } = programOf(container, this.around.behaviourOf(container), known.restartCount, keptRunning)
    if (seconds !== undefined && !this.later(began + seconds * 1000)) {
      const finishedAt = timestamp(this.around.now)
      const { containerID } = known
      const terminated = endOf(exitCode, { startedAt, finishedAt, containerID })
      // An end is told before a new beginning.
      this.later(this.around.now + 1)
      return { ...known, ready: false, started: false, state: { terminated } }
    }
    const ready = this.readyAt(container, began)
    return { ...known, ready: ready !== undefined && !this.later(ready) }
  }

  /** Notes a time to come back at. @returns whether it is still to come */
  private later(due: number): boolean {
    const wait = due - this.around.now
    if (wait <= 0) return false
    this.next = Math.min(this.next ?? wait, wait)
    return true
  }
}
