/**
 * Which pods go first when there are too many (public documentation, ReplicaSet, "Scaling a ReplicaSet"): those without node,
 * pending, not ready, cheap to delete, crowded on their node, ready for a short time, often restarted, young.
 */
import type { Pod } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'
import { condition, isReady } from './pods'

const PHASES: Record<string, number> = { Pending: 0, Unknown: 1, Running: 2 }
const COST = 'controller.kubernetes.io/pod-deletion-cost'

/** @param related pods whose presence on a node makes it crowded */
export function inOrderOfDeletion(pods: Stored<Pod>[], related: Pod[], now: number): Stored<Pod>[] {
  const crowd = new Map<string, number>()
  for (const { spec } of related) if (spec?.nodeName) crowd.set(spec.nodeName, (crowd.get(spec.nodeName) ?? 0) + 1)
  const ranked = pods.map((pod) => ({ pod, rank: rankOf(pod, crowd, now) }))
  return ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ pod }) => pod)
}

/** Lower goes first, from left to right. */
function rankOf(pod: Stored<Pod>, crowd: Map<string, number>, now: number): number[] {
  const ready = isReady(pod)
  const since = condition(pod, 'Ready')?.lastTransitionTime
  const restarts = Math.max(0, ...(pod.status?.containerStatuses ?? []).map(({ restartCount }) => restartCount))
  return [
    pod.spec?.nodeName ? 1 : 0,
    PHASES[pod.status?.phase ?? ''] ?? 1,
    ready ? 1 : 0,
    Number(pod.metadata.annotations?.[COST] ?? 0) || 0,
    -(crowd.get(pod.spec?.nodeName ?? '') ?? 0),
    ready ? magnitude(since, now) : 0,
    -restarts,
    magnitude(pod.metadata.creationTimestamp ?? undefined, now),
  ]
}

/** Ages count by their order of magnitude, so that not always the youngest goes. */
function magnitude(time: string | undefined, now: number): number {
  if (!time) return 0
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000)
  return seconds < 1 ? 0 : Math.floor(Math.log2(seconds))
}

function compareRanks(a: number[], b: number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0)
  return 0
}
