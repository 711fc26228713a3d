/**
 * The order in which a controller deletes Pods.
 * https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/#scaling-a-replicaset
 */

import type { Pod } from 'kubernetes-types/core/v1'
import { largest } from '../../core/lists'
import { entryOf } from '../../core/object'
import type { Stored } from '../runtime/stored'
import { condition, isReady } from './pods'

const PHASES: Record<string, number> = { Pending: 0, Unknown: 1, Running: 2 }
const COST = 'controller.kubernetes.io/pod-deletion-cost'

/** @param related pods that count for colocation @param hasCosts deletion costs count */
export function inOrderOfDeletion(
  pods: Stored<Pod>[],
  related: Pod[],
  now: number,
  hasCosts: boolean,
): Stored<Pod>[] {
  const crowd = new Map<string, number>()
  for (const { spec } of related)
    if (spec?.nodeName) crowd.set(spec.nodeName, (crowd.get(spec.nodeName) ?? 0) + 1)
  const early = (time: string | undefined) => magnitude(time, now)
  return ranked(pods, early, (pod) => [
    hasCosts ? costOf(pod) : 0,
    -(crowd.get(pod.spec?.nodeName ?? '') ?? 0),
  ])
}

/** Invalid costs are zero. */
const costOf = ({ metadata }: Stored<Pod>): number => Number(metadata.annotations?.[COST] ?? 0) || 0

/** Jobs ignore cost and colocation, and compare exact ages. */
export const youngestFirst = (pods: Stored<Pod>[]): Stored<Pod>[] =>
  ranked(
    pods,
    (time) => (time ? -Date.parse(time) : Number.NEGATIVE_INFINITY),
    () => [],
  )

/** @param early rank of a time: later ranks lower @param more ranks before the readiness time */
function ranked(
  pods: Stored<Pod>[],
  early: (time: string | undefined) => number,
  more: (pod: Stored<Pod>) => number[],
): Stored<Pod>[] {
  const ranks = new Map(pods.map((pod) => [pod, rankOf(pod, early, more(pod))]))
  return [...pods].sort((a, b) => compareRanks(ranks.get(a) ?? [], ranks.get(b) ?? []))
}

/** Most significant first; the lowest is deleted first. */
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

/** Order of magnitude, so that similar ages are equal. */
function magnitude(time: string | undefined, now: number): number {
  if (!time) return Number.NEGATIVE_INFINITY
  const nanoseconds = (now - Date.parse(time)) * 1e6
  return nanoseconds <= 0 ? -1 : Math.floor(Math.log2(nanoseconds))
}

function compareRanks(a: number[], b: number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0)
  return 0
}
