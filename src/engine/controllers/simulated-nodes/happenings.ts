/** What a node's agent tells of when the containers of a pod go on (the real one's words). */
import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1'
import type { EventType } from '../runtime/events'

export interface Happening {
  type: EventType
  reason: string
  message: string
}

/** @returns an event for each step that containers took from one status to the next */
export function happenings(before: PodStatus | undefined, now: PodStatus): Happening[] {
  const known = containersIn(before)
  return containersIn(now).flatMap((container) => {
    const earlier = known.find(({ name }) => name === container.name)
    return stepsOf(container, earlier)
  })
}

const containersIn = (status: PodStatus | undefined): ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
]

function stepsOf({ name, image, state, restartCount }: ContainerStatus, before: ContainerStatus | undefined): Happening[] {
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
      { type: 'Warning', reason: 'Failed', message: `Failed to pull image "${image}": ${state?.waiting?.message ?? ''}` },
      { type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull' },
    ]
  if (waits === 'ImagePullBackOff') return [{ type: 'Normal', reason: 'BackOff', message: `Back-off pulling image "${image}"` }]
  return waits === 'CrashLoopBackOff'
    ? [{ type: 'Warning', reason: 'BackOff', message: `Back-off restarting failed container ${name} in pod` }]
    : []
}
