/** Reasons and messages of the kubelet. */
import type { ContainerStatus, Pod, PodStatus } from 'kubernetes-types/core/v1'
import type { EventType } from '../runtime/events'
import type { Stored } from '../runtime/stored'

export const DEADLINE_EXCEEDED = 'DeadlineExceeded'

/** Pull policy Never, image missing. */
export const NEVER_PULLED = 'ErrImageNeverPull'

export interface KubeletEvent {
  type: EventType
  reason: string
  message: string
  /** `spec.containers{web}` */
  fieldPath?: string
}

/** @param pod has the previous status */
export function kubeletEvents(pod: Stored<Pod>, now: PodStatus): KubeletEvent[] {
  const known = containersIn(pod.status).map(({ container }) => container)
  const overdue = now.reason === DEADLINE_EXCEEDED && pod.status?.reason !== DEADLINE_EXCEEDED
  const steps = containersIn(now).flatMap(({ list, container }) => {
    const earlier = known.find(({ name }) => name === container.name)
    const fieldPath = `spec.${list}{${container.name}}`
    const around = { inMessages: podInMessages(pod), pullPolicy: pullPolicyOf(pod, container.name) }
    return stepsOf(container, earlier, around).map((step) => ({ ...step, fieldPath }))
  })
  return overdue
    ? [
        ...steps,
        { type: 'Normal', reason: DEADLINE_EXCEEDED, message: now.message ?? '' },
        ...killingEvents(pod),
      ]
    : steps
}

export const killingEvents = ({ spec }: Stored<Pod>): KubeletEvent[] =>
  (spec?.containers ?? []).map(({ name }) => ({
    type: 'Normal',
    reason: 'Killing',
    message: `Stopping container ${name}`,
    fieldPath: `spec.containers{${name}}`,
  }))

/** `web_default(5b2e…)` */
export const podInMessages = ({ metadata: { name, namespace, uid } }: Stored<Pod>): string =>
  `${name}_${namespace}(${uid})`

function containersIn(
  status: PodStatus | undefined,
): { list: string; container: ContainerStatus }[] {
  const {
    initContainerStatuses = [],
    containerStatuses = [],
    ephemeralContainerStatuses = [],
  } = status ?? {}
  return [
    ...initContainerStatuses.map((container) => ({ list: 'initContainers', container })),
    ...containerStatuses.map((container) => ({ list: 'containers', container })),
    ...ephemeralContainerStatuses.map((container) => ({ list: 'ephemeralContainers', container })),
  ]
}

function pullPolicyOf({ spec }: Stored<Pod>, container: string): string | undefined {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {}
  return [...initContainers, ...containers, ...ephemeralContainers].find(
    ({ name }) => name === container,
  )?.imagePullPolicy
}

/** Every node has every image: pulling takes no time. */
const imageIsThere = (image: string, pullPolicy: string | undefined): KubeletEvent[] =>
  pullPolicy === 'Always'
    ? [
        { type: 'Normal', reason: 'Pulling', message: `Pulling image "${image}"` },
        {
          type: 'Normal',
          reason: 'Pulled',
          message: `Successfully pulled image "${image}" in 0s (0s including waiting). Image size: 0 bytes.`,
        },
      ]
    : [
        {
          type: 'Normal',
          reason: 'Pulled',
          message: `Container image "${image}" already present on machine`,
        },
      ]

function stepsOf(
  { name, image, state, restartCount }: ContainerStatus,
  before: ContainerStatus | undefined,
  { inMessages, pullPolicy }: { inMessages: string; pullPolicy: string | undefined },
): KubeletEvent[] {
  const waits = state?.waiting?.reason
  if (state?.running && (!before?.state?.running || before.restartCount !== restartCount))
    return [
      ...imageIsThere(image, pullPolicy),
      { type: 'Normal', reason: 'Created', message: `Created container ${name}` },
      { type: 'Normal', reason: 'Started', message: `Started container ${name}` },
    ]
  if (waits === undefined || waits === before?.state?.waiting?.reason) return []
  if (waits === 'ErrImagePull')
    return [
      { type: 'Normal', reason: 'Pulling', message: `Pulling image "${image}"` },
      {
        type: 'Warning',
        reason: 'Failed',
        message: `Failed to pull image "${image}": ${state?.waiting?.message ?? ''}`,
      },
      { type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull' },
    ]
  if (waits === 'ImagePullBackOff')
    return [
      { type: 'Normal', reason: 'BackOff', message: `Back-off pulling image "${image}"` },
      { type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff' },
    ]
  if (waits === NEVER_PULLED)
    return [
      { type: 'Warning', reason: NEVER_PULLED, message: state?.waiting?.message ?? '' },
      { type: 'Warning', reason: 'Failed', message: `Error: ${NEVER_PULLED}` },
    ]
  if (waits === 'CreateContainerConfigError')
    return [
      ...imageIsThere(image, pullPolicy),
      { type: 'Warning', reason: 'Failed', message: `Error: ${state?.waiting?.message ?? ''}` },
    ]
  return waits === 'CrashLoopBackOff'
    ? [
        {
          type: 'Warning',
          reason: 'BackOff',
          message: `Back-off restarting failed container ${name} in pod ${inMessages}`,
        },
      ]
    : []
}
