import type { StatefulSet, StatefulSetStatus } from 'kubernetes-types/apps/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'
import { isReady } from '../shared/pods'
import { REVISION_LABEL } from './pods'
import type { SetRevisions } from './set-revisions'

export const isTerminating = ({ metadata }: Stored<Pod>): boolean =>
  Boolean(metadata.deletionTimestamp)
export const runsReady = (pod: Stored<Pod>): boolean =>
  pod.status?.phase === 'Running' && isReady(pod)
export const isHealthy = (pod: Stored<Pod>): boolean => runsReady(pod) && !isTerminating(pod)
export const revisionOf = ({ metadata }: Stored<Pod>): string =>
  metadata.labels?.[REVISION_LABEL] ?? ''

export interface Progress {
  revisions: Pick<SetRevisions, 'current' | 'update' | 'collisionCount'>
  replaced: number
  isAvailable(pod: Stored<Pod>): boolean
}

export function statusOf(
  set: Stored<StatefulSet>,
  own: Stored<Pod>[],
  { revisions, replaced, isAvailable }: Progress,
): StatefulSetStatus {
  const current = revisions.current?.metadata.name ?? ''
  const update = revisions.update?.metadata.name ?? ''
  const living = own.filter((pod) => !isTerminating(pod))
  const counts = {
    replicas: own.length,
    readyReplicas: own.filter(runsReady).length,
    availableReplicas: own.filter(isAvailable).length,
    currentReplicas: living.filter((pod) => revisionOf(pod) === current).length,
    updatedReplicas: living.filter((pod) => revisionOf(pod) === update).length,
  }
  const complete =
    set.spec?.updateStrategy?.type === 'RollingUpdate' &&
    counts.updatedReplicas === counts.replicas &&
    counts.readyReplicas === counts.replicas &&
    counts.replicas === (set.spec?.replicas ?? 1)
  if (complete) counts.currentReplicas = counts.updatedReplicas
  counts.currentReplicas -= replaced
  const { readyReplicas, currentReplicas, updatedReplicas } = counts
  return {
    ...(set.metadata.generation && { observedGeneration: set.metadata.generation }),
    replicas: counts.replicas,
    ...(readyReplicas > 0 && { readyReplicas }),
    ...(currentReplicas > 0 && { currentReplicas }),
    ...(updatedReplicas > 0 && { updatedReplicas }),
    currentRevision: complete ? update : current,
    updateRevision: update,
    collisionCount: revisions.collisionCount,
    availableReplicas: counts.availableReplicas,
  }
}
