import type { Pod } from 'kubernetes-types/core/v1'
import type { KubeObject } from '../../engine/core/object'

export type PodState =
  | 'pending'
  | 'starting'
  | 'not ready'
  | 'ready'
  | 'crashing'
  | 'no image'
  | 'ending'
  | 'done'
  | 'failed'

/** @returns the state, and its reason: `CrashLoopBackOff` */
export function podStateOf({ metadata, status, spec }: Pod & KubeObject): {
  state: PodState
  detail: string
} {
  if (metadata.deletionTimestamp) return { state: 'ending', detail: 'being deleted' }
  if (status?.phase === 'Succeeded') return { state: 'done', detail: '' }
  if (status?.phase === 'Failed') return { state: 'failed', detail: status.reason ?? '' }
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  const why =
    statuses
      .map(({ state }) => state?.waiting?.reason ?? '')
      .find((reason) => reason !== '' && reason !== 'PodInitializing') ?? ''
  if (/Image/.test(why)) return { state: 'no image', detail: why }
  if (
    why === 'CrashLoopBackOff' ||
    statuses.some(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0)
  )
    return { state: 'crashing', detail: why }
  if (!spec?.nodeName) {
    const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled')
    return { state: 'pending', detail: scheduled?.message ?? 'waits for a node' }
  }
  if (status?.phase !== 'Running') return { state: 'starting', detail: why }
  const ready = status.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True'
    ? { state: 'ready', detail: '' }
    : { state: 'not ready', detail: ready?.message ?? '' }
}
