/** How one container of a pod goes on: it waits, begins, is probed, ends and is begun again. */

import type {
  Container,
  ContainerStateTerminated,
  ContainerStatus,
  Probe,
} from 'kubernetes-types/core/v1'
import { timestamp } from '../../environment'
import { append } from '../../lists'
import { goDuration } from '../../schema/go-duration'
import type { Behavior } from '../../simulation/behavior'
import type { Verdict } from '../../simulation/probes'
import { type Program, programOf } from '../../simulation/program'
import type { Course as ProgramCourse } from '../../simulation/script/interpreter'
import { type KubeletEvent, NEVER_PULLED } from './kubelet-events'
import { type Probed, probesOf } from './prober'

/** Images are there, and containers begin, so long after a pod came to its node. */
export const START_MILLISECONDS = 1000
/** An image that cannot be had is asked for again; that it cannot is said first, then that one waits. */
const PULL_MILLISECONDS = 10_000
/**
 * A container that ended is begun again: at once the first time and when it had run long, else after a time that doubles with each
 * end (public documentation, "Pod Lifecycle", "How Pods handle problems with containers").
 */
const FIRST_BACKOFF_MILLISECONDS = 10_000
const LONGEST_BACKOFF_MILLISECONDS = 300_000
const LONG_RUN_MILLISECONDS = 600_000
const CONFIG_ERROR = 'CreateContainerConfigError'

export interface Surroundings {
  now: number
  hostIP: string
  /** The address that the pod has, or gets. */
  podIP: string
  behaviorOf(container: Container): Behavior
  /** Its volumes are there: without them no container begins. */
  mounted: boolean
  /** Why a container cannot be made of what is asked for. */
  containerProblem(container: Container): string | undefined
  /** What its program does when it was begun anew so often, where that can be followed. */
  courseOf(container: Container, restarts: number): ProgramCourse | undefined
  /** When the pod was last looked at. */
  since: number
  /** What a probe is answered with, so many seconds after its container began. */
  verdictOf(asked: {
    container: Container
    restarts: number
    probe: Probe
    seconds: number
  }): Verdict
  /** When probes may be answered otherwise than before, in seconds after the container began. */
  changesOf(container: Container, restarts: number): readonly number[]
  /** How long a container takes to stop that is told to, in milliseconds. */
  stopTime(container: Container): number
  /** The pod's. */
  graceSeconds: number
}

/** How a container is meant to go on. */
export interface Intent {
  /** It is begun again when it has ended. */
  restarts: boolean
  /** It serves for ever where nothing else is said. */
  keptRunning: boolean
  /** The list of the pod's specification that it stands in. */
  list: 'containers' | 'initContainers' | 'ephemeralContainers'
}

/** What a container that stops when it is told to ends with: who serves ends well, work that is cut short does not (SIGTERM). */
export const STOPPED_EXIT_CODE = 143

/** How containers go on, and the soonest time at which one of them will. */
export class Course {
  next: number | undefined
  /** What came to pass since the pod was last looked at that no status shows. */
  readonly told: KubeletEvent[] = []

  constructor(
    private readonly around: Surroundings,
    private readonly start: number,
    /** The pod, as messages name it. */
    private readonly pod: string,
    /** Why its containers wait before they are begun. */
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
    const behaviour = this.around.behaviorOf(container)
    if (behaviour.pull === 'fails') return this.withoutImage(container, known)
    const start =
      this.start +
      (behaviour.startsAfter === undefined ? 0 : behaviour.startsAfter * 1000 - START_MILLISECONDS)
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

  /** What its probes have come to; what a learner scripts goes before its readiness probe. */
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
        this.around.verdictOf({ container, restarts, probe, seconds: (at - began) / 1000 }),
    })
    if (probed.next !== undefined) this.later(probed.next)
    append(this.told, probed.told)
    if (probed.failed) this.tellOfKilling(container, probed.failed, intent)
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
    // How it goes on from here is asked when it has begun.
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
    const { seconds, exitCode } = this.programOf(container, known.restartCount, intent)
    const ends = seconds === undefined ? Number.POSITIVE_INFINITY : began + seconds * 1000
    if (Number.isFinite(ends) && !this.later(ends)) return this.ended(known, ends, exitCode)
    const { started, ready, failed } = this.probed(container, known.restartCount, began, intent)
    if (failed === undefined) return { ...known, started, ready }
    const stopped = failed.at + this.killTime(container, failed.probe)
    return this.later(stopped)
      ? { ...known, started, ready }
      : this.ended(known, stopped, STOPPED_EXIT_CODE)
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

  private ended(known: ContainerStatus, at: number, exitCode: number): ContainerStatus {
    const { containerID, state } = known
    const startedAt = state?.running?.startedAt ?? timestamp(at)
    // An end is told before a new beginning.
    this.later(this.around.now + 1)
    const finishedAt = timestamp(this.around.now)
    return {
      ...known,
      ready: false,
      started: false,
      state: { terminated: endOf(exitCode, { startedAt, finishedAt, containerID }) },
    }
  }

  private tellOfKilling(
    { name }: Container,
    { at, probe }: NonNullable<Probed['failed']>,
    { restarts, list }: Intent,
  ): void {
    const { now, since } = this.around
    if (at <= since || at > now) return
    const message = `Container ${name} failed ${probe} probe${restarts ? ', will be restarted' : ''}`
    this.told.push({
      type: 'Normal',
      reason: 'Killing',
      message,
      fieldPath: `spec.${list}{${name}}`,
    })
  }

  /** How long a container takes to stop whose probe failed: never longer than the probe gives it, or the pod. */
  private killTime(container: Container, probe: 'liveness' | 'startup'): number {
    const grace =
      container[`${probe}Probe`]?.terminationGracePeriodSeconds ?? this.around.graceSeconds
    return Math.min(this.around.stopTime(container), grace * 1000)
  }

  /** Notes a time to come back at. @returns whether it is still to come */
  private later(due: number): boolean {
    const wait = due - this.around.now
    if (wait <= 0) return false
    this.next = Math.min(this.next ?? wait, wait)
    return true
  }
}

/** A container that runs no more: a sidecar ends when the pod's own containers have (public documentation, "Sidecar Containers"). */
export function stopped(status: ContainerStatus, now: string, exitCode = 0): ContainerStatus {
  const { state, containerID } = status
  if (!state?.running) return status
  const { started, ...known } = status
  const terminated = endOf(exitCode, {
    startedAt: state.running.startedAt,
    finishedAt: now,
    containerID,
  })
  return {
    ...known,
    ready: false,
    ...(started !== undefined && { started: false }),
    state: { terminated },
  }
}

const endOf = (
  exitCode: number,
  {
    containerID,
    ...times
  }: Pick<ContainerStateTerminated, 'startedAt' | 'finishedAt' | 'containerID'>,
) => ({
  exitCode,
  reason: exitCode === 0 ? 'Completed' : 'Error',
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

/** @returns milliseconds between a container's end and its next beginning */
function backoffAfter(
  { startedAt = '', finishedAt = '' }: ContainerStateTerminated,
  restarts: number,
): number {
  if (restarts === 0 || Date.parse(finishedAt) - Date.parse(startedAt) >= LONG_RUN_MILLISECONDS)
    return 0
  return Math.min(FIRST_BACKOFF_MILLISECONDS * 2 ** (restarts - 1), LONGEST_BACKOFF_MILLISECONDS)
}
