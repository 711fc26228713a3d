import type {
  Container,
  ContainerStateTerminated,
  ContainerStatus,
  Probe,
} from 'kubernetes-types/core/v1'
import { timestamp } from '../../core/environment'
import { append } from '../../core/lists'
import { goDuration } from '../../schema/go-duration'
import type { Behavior } from '../../simulation/behavior'
import type { SeenContainer } from '../../simulation/pod'
import type { HookRun } from '../../simulation/pod-state'
import type { Verdict } from '../../simulation/probes'
import { type Program, programOf } from '../../simulation/program'
import type { Course as ProgramCourse } from '../../simulation/script/course'
import { terminationMessage } from '../../simulation/termination-message'
import type { Hook } from './hooks'
import { type KubeletEvent, NEVER_PULLED } from './kubelet-events'
import { type Probed, probesOf } from './prober'

/** Delay from the start of the pod. */
export const START_MILLISECONDS = 1000
/** Delay from ErrImagePull to ImagePullBackOff. */
const PULL_MILLISECONDS = 10_000
/**
 * The delay before the second restart, which doubles. The first restart, and one after a long run,
 * is immediate.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
 */
const FIRST_BACKOFF_MILLISECONDS = 10_000
const LONGEST_BACKOFF_MILLISECONDS = 300_000
const LONG_RUN_MILLISECONDS = 600_000
const CONFIG_ERROR = 'CreateContainerConfigError'

export interface Surroundings {
  now: number
  hostIP: string
  podIP: string
  behaviorOf(container: Container): Behavior
  /** Whether volumes are mounted; before that no container starts. */
  mounted: boolean
  /** @returns message of CreateContainerConfigError */
  containerProblem(container: Container): string | undefined
  /** @returns undefined if the program cannot be interpreted */
  courseOf(container: Container, restarts: number): ProgramCourse | undefined
  since: number
  /** Runs a lifecycle hook once; undefined without one. */
  hookOf(container: Container, restarts: number, hook: Hook): HookRun | undefined
  /** `seconds` counts from container start. */
  verdictOf(probe: {
    container: Container
    restarts: number
    probe: Probe
    seconds: number
    /** The same time, in milliseconds since the epoch. */
    at: number
  }): Verdict
  /** When probe verdicts may change, in seconds from container start. */
  changesOf(container: Container, restarts: number): readonly number[]
  /** Milliseconds. */
  stopTime(container: Container): number
  graceSeconds: number
}

export interface Intent {
  /** Whether the container restarts after termination. */
  restarts: boolean
  /** Runs until behavior or command ends it. */
  keptRunning: boolean
  list: 'containers' | 'initContainers' | 'ephemeralContainers'
}

/** 128 + SIGTERM, for programs that do not handle it. */
export const STOPPED_EXIT_CODE = 143

/** Computes the statuses of containers, and when they change next. */
export class Course {
  /** Milliseconds. */
  next: number | undefined
  /** Events that the status does not show. */
  readonly events: KubeletEvent[] = []

  constructor(
    private readonly around: Surroundings,
    private readonly start: number,
    private readonly pod: string,
    /** Waiting reason before the start. */
    private readonly beforeIt: string,
  ) {}

  of(container: Container, known: ContainerStatus | undefined, intent: Intent): ContainerStatus {
    const { now } = this.around
    const { restarts } = intent
    if (known?.state?.running) return this.running(container, known, intent)
    const ended =
      known?.state?.terminated ??
      (known?.state?.waiting?.reason === 'CrashLoopBackOff'
        ? known.lastState?.terminated
        : undefined)
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
      return this.begun(
        container,
        { ...known, restartCount: known.restartCount + 1, lastState: { terminated: ended } },
        intent,
      )
    }
    if (!this.around.mounted) return waiting(container, known, this.beforeIt)
    const behavior = this.around.behaviorOf(container)
    if (behavior.pull === 'fails') return this.withoutImage(container, known)
    const start =
      this.start +
      (behavior.startsAfter === undefined ? 0 : behavior.startsAfter * 1000 - START_MILLISECONDS)
    if (now < start && this.later(start)) return waiting(container, known, this.beforeIt)
    return this.begun(container, known, intent)
  }

  private withoutImage(container: Container, known: ContainerStatus | undefined): ContainerStatus {
    const { image = '', imagePullPolicy } = container
    if (this.around.now < this.start && this.later(this.start))
      return waiting(container, known, this.beforeIt)
    if (imagePullPolicy === 'Never') {
      const message = `Container image "${image}" is not present with pull policy of Never`
      return {
        ...waiting(container, known, NEVER_PULLED),
        state: { waiting: { reason: NEVER_PULLED, message } },
      }
    }
    const [reason, message] = this.later(this.start + PULL_MILLISECONDS)
      ? ['ErrImagePull', `failed to pull and unpack image "${image}": not found`]
      : ['ImagePullBackOff', `Back-off pulling image "${image}"`]
    return { ...waiting(container, known, reason), state: { waiting: { reason, message } } }
  }

  /** `readyAfter` overrides the readiness probe. */
  private probed(container: Container, restarts: number, began: number, intent: Intent): Probed {
    const { now, since } = this.around
    const { readyAfter } = this.around.behaviorOf(container)
    const probed = probesOf(container, readyAfter === undefined, {
      now,
      since,
      began,
      fieldPath: `spec.${intent.list}{${container.name}}`,
      changes: this.around.changesOf(container, restarts).map((seconds) => began + seconds * 1000),
      verdictOf: (probe, at) =>
        this.around.verdictOf({ container, restarts, probe, seconds: (at - began) / 1000, at }),
    })
    if (probed.next !== undefined) this.later(probed.next)
    append(this.events, probed.events)
    if (probed.failed) this.recordKilling(container, probed.failed, intent)
    if (readyAfter === undefined) return probed
    const ready = readyAfter !== 'never' && !this.later(began + readyAfter * 1000)
    return { ...probed, ready: probed.started && ready }
  }

  private begun(
    container: Container,
    known: ContainerStatus | undefined,
    intent: Intent,
  ): ContainerStatus {
    const { now } = this.around
    const message = this.around.containerProblem(container)
    if (message !== undefined)
      return {
        ...waiting(container, known, CONFIG_ERROR),
        state: { waiting: { reason: CONFIG_ERROR, message } },
      }
    const imageID = `simulated://${container.image ?? ''}`
    const containerID = `simulated://${container.name}-${known?.restartCount ?? 0}`
    const startedAt = timestamp(now)
    const { started, ready } = this.probed(
      container,
      known?.restartCount ?? 0,
      Date.parse(startedAt),
      intent,
    )
    // The next sync computes what the container does.
    this.later(now + 1)
    return {
      ...described(container, known),
      imageID,
      containerID,
      ready,
      started,
      state: { running: { startedAt } },
    }
  }

  private running(container: Container, known: ContainerStatus, intent: Intent): ContainerStatus {
    const startedAt = known.state?.running?.startedAt ?? timestamp(this.around.now)
    const began = Date.parse(startedAt)
    const program = this.programOf(container, known.restartCount, intent)
    const { seconds } = program
    const ends = seconds === undefined ? Number.POSITIVE_INFINITY : began + seconds * 1000
    if (Number.isFinite(ends) && !this.later(ends))
      return this.ended(known, ends, program, this.messageOf(container, known.restartCount))
    this.awaitNetwork(container, known.restartCount, began)
    const pending = this.afterHook(container, known, intent)
    if (pending) return pending
    const { started, ready, failed } = this.probed(container, known.restartCount, began, intent)
    if (failed === undefined) return { ...known, started, ready }
    const stopped = failed.at + this.killTime(container, failed.probe)
    return this.later(stopped)
      ? { ...known, started, ready }
      : this.ended(known, stopped, { exitCode: STOPPED_EXIT_CODE })
  }

  /**
   * The kubelet stops a container whose postStart hook fails.
   * @returns the status of a container whose hook still runs, or has failed
   */
  private afterHook(
    container: Container,
    known: ContainerStatus,
    { list }: Intent,
  ): ContainerStatus | undefined {
    const { hookOf, stopTime, graceSeconds } = this.around
    const hook = hookOf(container, known.restartCount, 'postStart')
    if (hook === undefined) return undefined
    const end = hook.at + hook.seconds * 1000
    const status = { ...known, started: false, ready: false }
    if (!Number.isFinite(end) || this.later(end)) return status
    if (!hook.isFailed) return undefined
    const fieldPath = `spec.${list}{${container.name}}`
    const reason = 'FailedPostStartHook'
    if (!hook.isReported)
      this.events.push(
        { type: 'Warning', reason, message: 'PostStartHook failed', fieldPath },
        { type: 'Normal', reason: 'Killing', message: reason, fieldPath },
      )
    hook.isReported = true
    const stopped = end + Math.min(stopTime(container), graceSeconds * 1000)
    return this.later(stopped)
      ? status
      : this.ended(known, stopped, { exitCode: STOPPED_EXIT_CODE })
  }

  /** Schedules the sync in which a program goes on that uses the network. */
  private awaitNetwork(container: Container, restarts: number, began: number): void {
    const { now, courseOf } = this.around
    const seconds = courseOf(container, restarts)?.waitsUntil
    if (seconds === undefined || !Number.isFinite(seconds)) return
    this.later(Math.max(began + seconds * 1000, now + 1))
  }

  private programOf(container: Container, restarts: number, { keptRunning }: Intent): Program {
    const { behaviorOf, courseOf } = this.around
    return programOf(
      container,
      behaviorOf(container),
      restarts,
      keptRunning,
      courseOf(container, restarts),
    )
  }

  /** The termination message of a program that ends by itself. */
  private messageOf(container: Container, restarts: number): string | undefined {
    if (this.around.behaviorOf(container).exit) return undefined
    const course = this.around.courseOf(container, restarts)
    return course && terminationMessage(container as SeenContainer, course)
  }

  private ended(
    known: ContainerStatus,
    at: number,
    program: Pick<Program, 'exitCode' | 'isOutOfMemory'>,
    message?: string,
  ): ContainerStatus {
    const { containerID, state } = known
    const startedAt = state?.running?.startedAt ?? timestamp(at)
    // The status shows the termination before the restart.
    this.later(this.around.now + 1)
    const finishedAt = timestamp(this.around.now)
    return {
      ...known,
      ready: false,
      started: false,
      state: { terminated: endOf(program, { startedAt, finishedAt, containerID }, message) },
    }
  }

  private recordKilling(
    { name }: Container,
    { at, probe }: NonNullable<Probed['failed']>,
    { restarts, list }: Intent,
  ): void {
    const { now, since } = this.around
    if (at <= since || at > now) return
    const message = `Container ${name} failed ${probe} probe${restarts ? ', will be restarted' : ''}`
    this.events.push({
      type: 'Normal',
      reason: 'Killing',
      message,
      fieldPath: `spec.${list}{${name}}`,
    })
  }

  /** At most the grace period of probe or pod. */
  private killTime(container: Container, probe: 'liveness' | 'startup'): number {
    const grace =
      container[`${probe}Probe`]?.terminationGracePeriodSeconds ?? this.around.graceSeconds
    return Math.min(this.around.stopTime(container), grace * 1000)
  }

  /** Schedules a sync. @returns whether `due` is in the future */
  private later(due: number): boolean {
    const wait = due - this.around.now
    if (wait <= 0) return false
    this.next = Math.min(this.next ?? wait, wait)
    return true
  }
}

/** @returns the status of a container that stopped at `now`; unchanged if it does not run */
export function stopped(status: ContainerStatus, now: string, exitCode = 0): ContainerStatus {
  const { state, containerID } = status
  if (!state?.running) return status
  const { started, ...known } = status
  const terminated = endOf(
    { exitCode },
    {
      startedAt: state.running.startedAt,
      finishedAt: now,
      containerID,
    },
  )
  return {
    ...known,
    ready: false,
    ...(started !== undefined && { started: false }),
    state: { terminated },
  }
}

function reasonOf(exitCode: number, isOutOfMemory = false): string {
  if (isOutOfMemory) return 'OOMKilled'
  return exitCode === 0 ? 'Completed' : 'Error'
}

const endOf = (
  { exitCode, isOutOfMemory }: Pick<Program, 'exitCode' | 'isOutOfMemory'>,
  {
    containerID,
    ...times
  }: Pick<ContainerStateTerminated, 'startedAt' | 'finishedAt' | 'containerID'>,
  message?: string,
) => ({
  exitCode,
  reason: reasonOf(exitCode, isOutOfMemory),
  ...(message !== undefined && { message }),
  ...times,
  ...(containerID && { containerID }),
})

export function waiting(
  container: Container,
  known: ContainerStatus | undefined,
  reason: string,
): ContainerStatus {
  return {
    ...described(container, known),
    ready: false,
    started: false,
    state: { waiting: { reason } },
  }
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

/** @returns milliseconds */
function backoffAfter(
  { startedAt = '', finishedAt = '' }: ContainerStateTerminated,
  restarts: number,
): number {
  if (restarts === 0 || Date.parse(finishedAt) - Date.parse(startedAt) >= LONG_RUN_MILLISECONDS)
    return 0
  return Math.min(FIRST_BACKOFF_MILLISECONDS * 2 ** (restarts - 1), LONGEST_BACKOFF_MILLISECONDS)
}
