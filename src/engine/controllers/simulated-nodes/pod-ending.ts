/** How a pod ends that is being deleted, or a container that is stopped. */
import type { Container, Pod, PodStatus } from 'kubernetes-types/core/v1'
import { largest } from '../../core/lists'
import type { Behavior } from '../../simulation/behavior'
import type { Stored } from '../runtime/stored'
import { type KubeletEvent, killingEvents } from './kubelet-events'
import { statusAtItsEnd } from './pod-lifecycle'
import type { Programs } from './programs'

/** Default duration of a stop, limited by the grace period. */
const STOP_MILLISECONDS = 1000
/** 128 + SIGKILL. */
const KILLED_EXIT_CODE = 137

export interface Stopping {
  programs: Programs
  behaviorOf(container: Container): Behavior
  /** Milliseconds. */
  now: number
  grace: number
}

interface PodEnding {
  /** Milliseconds until its containers have stopped, at the latest after the grace period. */
  left: number
  events: readonly KubeletEvent[]
  status(): PodStatus
}

/** @param began when the deletion began, in milliseconds */
export function podEnding(pod: Stored<Pod>, began: number, around: Stopping): PodEnding {
  const { programs, behaviorOf, now, grace } = around
  const { initContainers = [], containers = [] } = pod.spec ?? {}
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')
  const endingOf = (container: Container) =>
    programs.endingOf(container, began + hookTime(pod, container, around))
  const all = [...containers, ...sidecars]
  const wanted = largest(
    all.map((container) => stopTime(pod, container, around, endingOf(container)?.seconds)),
  )
  return {
    left: began + Math.min(wanted, grace) - now,
    events: [
      ...killingEvents(pod),
      ...[
        ...containers.map((container) => ['containers', container] as const),
        ...sidecars.map((container) => ['initContainers', container] as const),
      ].flatMap(([list, container]) => failedHook(pod, container, list, around)),
    ],
    status: () =>
      statusAtItsEnd(pod, {
        now,
        behaviorOf,
        courseOf: programs.courseOf,
        codeOnTerm(container) {
          const ending = endingOf(container)
          return ending && (ending.seconds * 1000 > grace ? KILLED_EXIT_CODE : ending.code)
        },
      }),
  }
}

/** Milliseconds that a container takes to stop. @param own seconds that its program takes */
export function stopTime(
  pod: Stored<Pod>,
  container: Container,
  around: Stopping,
  own?: number,
): number {
  const seconds = around.behaviorOf(container).stopsAfter ?? own
  const stop = seconds === undefined ? STOP_MILLISECONDS : seconds * 1000
  return hookTime(pod, container, around) + stop
}

const hookTime = (pod: Stored<Pod>, container: Container, around: Stopping): number =>
  Math.min((preStop(pod, container, around)?.seconds ?? 0) * 1000, around.grace)

/** Runs the hook if the container runs. */
function preStop({ status }: Stored<Pod>, container: Container, { programs, grace }: Stopping) {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {}
  const own = [...containerStatuses, ...initContainerStatuses].find(
    ({ name, state }) => name === container.name && state?.running,
  )
  return own && grace > 0 ? programs.hookOf(container, own.restartCount, 'preStop') : undefined
}

function failedHook(
  pod: Stored<Pod>,
  container: Container,
  list: string,
  around: Stopping,
): KubeletEvent[] {
  if (!preStop(pod, container, around)?.isFailed) return []
  const fieldPath = `spec.${list}{${container.name}}`
  return [
    { type: 'Warning', reason: 'FailedPreStopHook', message: 'PreStopHook failed', fieldPath },
  ]
}
