/** From what a pod wants and what its status says to what its status is next, and when there will be more to say. */
import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from 'kubernetes-types/core/v1'
import { timestamp } from '../../environment'
import type { Behaviour } from '../../simulation/behaviour'
import { programOf } from '../../simulation/program'
import type { Stored } from '../runtime/stored'

/** Images are there, and containers begin, so long after a pod came to its node. */
const START_MILLISECONDS = 1000
/** An image that cannot be had is asked for again; that it cannot is said first, then that one waits. */
const PULL_MILLISECONDS = 10_000
/** A container that ended is begun again after a time that doubles with each end. */
const FIRST_RESTART_MILLISECONDS = 10_000
const LONGEST_RESTART_MILLISECONDS = 300_000

export interface Surroundings {
  now: number
  hostIP: string
  /** The address that the pod has, or gets. */
  podIP: string
  behaviourOf(container: Container): Behaviour
}

export interface Next {
  status: PodStatus
  /** Milliseconds until the status will be another one; undefined: not by itself. */
  after: number | undefined
}

export function nextStatus(pod: Stored<Pod>, around: Surroundings): Next {
  const { status, spec } = pod
  const startTime = status?.startTime ?? timestamp(around.now)
  const containers = spec?.containers ?? []
  const initContainers = spec?.initContainers ?? []
  const keptRunning = (spec?.restartPolicy ?? 'Always') === 'Always'
  const first = new Course(around, Date.parse(startTime) + START_MILLISECONDS)
  let initialized = true
  const initStatuses = initContainers.map((container) => {
    const sidecar = container.restartPolicy === 'Always'
    const known = statusOf(status?.initContainerStatuses, container.name)
    if (!initialized) return waiting(container, known, 'PodInitializing')
    const next = first.of(container, known, { restarts: spec?.restartPolicy !== 'Never' || sidecar, keptRunning: sidecar })
    if (!sidecar && next.state?.terminated?.exitCode !== 0) initialized = false
    return next
  })
  const statuses = containers.map((container) => {
    const known = statusOf(status?.containerStatuses, container.name)
    if (!initialized) return waiting(container, known, 'PodInitializing')
    const failed = known?.state?.terminated?.exitCode !== 0
    const restarts = keptRunning || (spec?.restartPolicy === 'OnFailure' && failed)
    return first.of(container, known, { restarts, keptRunning })
  })
  const phase = phaseOf(statuses, initStatuses, pod)
  const now = timestamp(around.now)
  const running = statuses.length > 0 && statuses.every(({ ready }) => ready)
  const gates = (spec?.readinessGates ?? []).every(({ conditionType }) =>
    status?.conditions?.some((own) => own.type === conditionType && own.status === 'True'),
  )
  const completed = phase === 'Succeeded'
  const unready = completed
    ? ['PodCompleted', '']
    : [
        'ContainersNotReady',
        `containers with unready status: [${statuses
          .filter(({ ready }) => !ready)
          .map(({ name }) => name)
          .join(' ')}]`,
      ]
  const pending = `containers with incomplete status: [${initStatuses
    .filter(({ ready }) => !ready)
    .map(({ name }) => name)
    .join(' ')}]`
  const wanted: Wanted[] = [
    ['PodReadyToStartContainers', phase !== 'Succeeded' && phase !== 'Failed'],
    ['Initialized', initialized, completed ? 'PodCompleted' : 'ContainersNotInitialized', completed ? '' : pending],
    [
      'Ready',
      running && gates,
      ...(running
        ? (['ReadinessGatesNotReady', 'the status of pod readiness gate is not "True"'] as const)
        : (unready as [string, string])),
    ],
    ['ContainersReady', running, ...(unready as [string, string])],
    ['PodScheduled', true],
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
      ...(initStatuses.length > 0 && { initContainerStatuses: initStatuses }),
      containerStatuses: statuses,
    },
    after: first.next,
  }
}

type Wanted = [type: string, holds: boolean, reason?: string, message?: string]

function withConditions(present: PodCondition[], wanted: Wanted[], now: string): PodCondition[] {
  const own = wanted.map(([type, holds, reason, message]): PodCondition => {
    const before = present.find((condition) => condition.type === type)
    const status = holds ? 'True' : 'False'
    const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now
    return { type, status, lastTransitionTime, ...(!holds && reason && { reason }), ...(!holds && message && { message }) }
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
  return statuses.some(({ state, lastState }) => state?.running || state?.terminated || lastState?.terminated) ? 'Running' : 'Pending'
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

/** How containers go on, and the soonest time at which one of them will. */
class Course {
  next: number | undefined

  constructor(
    private readonly around: Surroundings,
    private readonly start: number,
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
      const wait = Math.min(FIRST_RESTART_MILLISECONDS * 2 ** known.restartCount, LONGEST_RESTART_MILLISECONDS)
      const due = Date.parse(ended.finishedAt ?? '') + wait
      if (this.later(due)) {
        const message = `back-off ${wait / 1000}s restarting failed container=${container.name}`
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
    const behaviour = this.around.behaviourOf(container)
    if (behaviour.pull === 'fails') return this.withoutImage(container, known)
    const start = this.start + (behaviour.startsAfter === undefined ? 0 : behaviour.startsAfter * 1000 - START_MILLISECONDS)
    if (now < start && this.later(start)) return waiting(container, known, 'ContainerCreating')
    return this.begun(container, known)
  }

  private withoutImage(container: Container, known: ContainerStatus | undefined): ContainerStatus {
    const { image = '' } = container
    if (this.around.now < this.start && this.later(this.start)) return waiting(container, known, 'ContainerCreating')
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
      const terminated = {
        exitCode,
        reason: exitCode === 0 ? 'Completed' : 'Error',
        startedAt,
        finishedAt,
        ...(containerID && { containerID }),
      }
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
