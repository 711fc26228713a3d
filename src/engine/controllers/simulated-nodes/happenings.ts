/** What a node's agent tells of when the containers of a pod go on (the real one's words). */
import type { ContainerStatus, Pod, PodStatus } from 'kubernetes-types/core/v1'
import type { EventType } from '../runtime/events'
import type { Stored } from '../runtime/stored'

/** Why a pod fails that ran for longer than it may. */
export const DEADLINE_EXCEEDED = 'DeadlineExceeded'

export interface Happening {
  type: EventType
  reason: string
  message: string
  /** The part of the pod that it is about: `spec.containers{web}`. */
  fieldPath?: string
}

/** @param pod as it was @returns an event for each step that its containers took from there to the next status */
export function happenings(pod: Stored<Pod>, now: PodStatus): Happening[] {
  const known = containersIn(pod.status).map(({ container }) => container)
  const overdue = now.reason === DEADLINE_EXCEEDED && pod.status?.reason !== DEADLINE_EXCEEDED
  const steps = containersIn(now).flatMap(({ list, container }) => {
    const earlier = known.find(({ name }) => name === container.name)
    const fieldPath = `spec.${list}{${container.name}}`
    return stepsOf(container, earlier, podInMessages(pod)).map((step) => ({ ...step, fieldPath }))
  })
  return overdue ? [...steps, { type: 'Normal', reason: DEADLINE_EXCEEDED, message: now.message ?? '' }] : steps
}

/** `web_default(5b2e…)` */
export const podInMessages = ({ metadata: { name, namespace, uid } }: Stored<Pod>): string => `${name}_${namespace}(${uid})`

function containersIn(status: PodStatus | undefined): { list: string; container: ContainerStatus }[] {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {}
  return [
    ...initContainerStatuses.map((container) => ({ list: 'initContainers', container })),
    ...containerStatuses.map((container) => ({ list: 'containers', container })),
    ...ephemeralContainerStatuses.map((container) => ({ list: 'ephemeralContainers', container })),
  ]
}

function stepsOf({ name, image, state, restartCount }: ContainerStatus, before: ContainerStatus | undefined, pod: string): Happening[] {
  const waits = state?.waiting?.reason
  if (state?.running && (!before?.state?.running || before.restartCount !== restartCount))
    return [
      { type: 'Normal', reason: 'Pulled', message: `Container image "${image}" already present on machine` },
      { type: 'Normal', reason: 'Created', message: `Created container ${name}` },
      { type: 'Normal', reason: 'Started', message: `Started container ${name}` },
    ]
  if (waits === undefined || waits === before?.state?.waiting?.reason) return []
  if (waits === 'ErrImagePull')
    return [
      { type: 'Normal', reason: 'Pulling', message: `Pulling image "${image}"` },
      { type: 'Warning', reason: 'Failed', message: `Failed to pull image "${image}": ${state?.waiting?.message ?? ''}` },
      { type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull' },
    ]
  if (waits === 'ImagePullBackOff')
    return [
      { type: 'Normal', reason: 'BackOff', message: `Back-off pulling image "${image}"` },
      { type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff' },
    ]
  if (waits === 'CreateContainerConfigError')
    return [
      { type: 'Normal', reason: 'Pulled', message: `Container image "${image}" already present on machine` },
      { type: 'Warning', reason: 'Failed', message: `Error: ${state?.waiting?.message ?? ''}` },
    ]
  return waits === 'CrashLoopBackOff'
    ? [{ type: 'Warning', reason: 'BackOff', message: `Back-off restarting failed container ${name} in pod ${pod}` }]
    : []
}
