/**
 * Which pods go first when there are too many (public documentation, ReplicaSet, "Scaling a ReplicaSet"): those without node,
 * pending, not ready, cheap to delete, crowded on their node, ready for a short time, often restarted, young.
 */

import type { Pod } from 'kubernetes-types/core/v1'
import { largest } from '../../lists'
import { entryOf } from '../../object'
import type { Stored } from '../runtime/stored'
import { condition, isReady } from './pods'

const PHASES: Record<string, number> = { Pending: 0, Unknown: 1, Running: 2 }
const COST = 'controller.kubernetes.io/pod-deletion-cost'

/** @param related pods whose presence on a node makes it crowded */
export function inOrderOfDeletion(pods: Stored<Pod>[], related: Pod[], now: number): Stored<Pod>[] {
  const crowd = new Map<string, number>()
  for (const { spec } of related)
    if (spec?.nodeName) crowd.set(spec.nodeName, (crowd.get(spec.nodeName) ?? 0) + 1)
  const early = (time: string | undefined) => magnitude(time, now)
  return ranked(pods, early, (pod) => [
    Number(pod.metadata.annotations?.[COST] ?? 0) || 0,
    -(crowd.get(pod.spec?.nodeName ?? '') ?? 0),
  ])
}

/** The same for jobs, which ask for neither cost nor crowds, and take ages exactly. */
export const youngestFirst = (pods: Stored<Pod>[]): Stored<Pod>[] =>
  ranked(
    pods,
    (time) => (time ? -Date.parse(time) : Number.NEGATIVE_INFINITY),
    () => [],
  )

/**
 * @param early of two times the one of which the lower number comes counts as the later
 * @param more what counts between readiness and for how long it lasts
 */
function ranked(
  pods: Stored<Pod>[],
  early: (time: string | undefined) => number,
  more: (pod: Stored<Pod>) => number[],
): Stored<Pod>[] {
  const ranks = new Map(pods.map((pod) => [pod, rankOf(pod, early, more(pod))]))
  return [...pods].sort((a, b) => compareRanks(ranks.get(a) ?? [], ranks.get(b) ?? []))
}

/** Lower goes first, from left to right. */
function rankOf(
  pod: Stored<Pod>,
  early: (time: string | undefined) => number,
  more: number[],
): number[] {
  const ready = isReady(pod)
  const since = condition(pod, 'Ready')?.lastTransitionTime
  const restarts = largest(
    (pod.status?.containerStatuses ?? []).map(({ restartCount }) => restartCount),
    0,
  )
  return [
    pod.spec?.nodeName ? 1 : 0,
    entryOf(PHASES, pod.status?.phase ?? '') ?? 1,
    ready ? 1 : 0,
    ...more,
    ready ? early(since) : 0,
    -restarts,
    early(pod.metadata.creationTimestamp ?? undefined),
  ]
}

/** Ages count by their order of magnitude, of nanoseconds, so that not always the youngest goes. */
function magnitude(time: string | undefined, now: number): number {
  if (!time) return Number.NEGATIVE_INFINITY
  const nanoseconds = (now - Date.parse(time)) * 1e6
  return nanoseconds <= 0 ? -1 : Math.floor(Math.log2(nanoseconds))
}

function compareRanks(a: number[], b: number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0)
  return 0
}
