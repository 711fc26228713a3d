import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1'
import type { Stored } from '../runtime/stored'
import { resolved } from '../shared/int-or-percent'

export const DESIRED = 'deployment.kubernetes.io/desired-replicas'
export const MAXIMUM = 'deployment.kubernetes.io/max-replicas'

export type Sets = Stored<ReplicaSet>[]

export const wanted = ({ spec }: Deployment): number => spec?.replicas ?? 1
export const sizeOf = (set: ReplicaSet | undefined): number => set?.spec?.replicas ?? 0
export const total = (sets: Sets): number => sets.reduce((sum, set) => sum + sizeOf(set), 0)
export const actual = (sets: Sets): number =>
  sets.reduce((sum, { status }) => sum + (status?.replicas ?? 0), 0)
export const ready = (sets: Sets): number =>
  sets.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0)
export const available = (sets: Sets): number =>
  sets.reduce((sum, { status }) => sum + (status?.availableReplicas ?? 0), 0)
/** A ReplicaSet that scales down counts with at most its new size. */
export const lasting = (sets: Sets): number =>
  sets.reduce((sum, set) => sum + Math.min(set.status?.availableReplicas ?? 0, sizeOf(set)), 0)
export const active = (sets: Sets): Sets => sets.filter((set) => sizeOf(set) > 0)

const rolls = ({ spec }: Deployment): boolean => spec?.strategy?.type === 'RollingUpdate'

function fenceposts(deployment: Deployment): { surge: number; unavailable: number } {
  const { maxSurge, maxUnavailable } = deployment.spec?.strategy?.rollingUpdate ?? {}
  const surge = resolved(maxSurge, wanted(deployment), 'up')
  const unavailable = resolved(maxUnavailable, wanted(deployment), 'down')
  // With both zero a rollout could not progress.
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable }
}

export const maxSurge = (deployment: Deployment): number =>
  rolls(deployment) ? fenceposts(deployment).surge : 0

/** Pods below the desired number that may be unavailable. */
export function maxUnavailable(deployment: Deployment): number {
  return !rolls(deployment) || wanted(deployment) === 0
    ? 0
    : Math.min(fenceposts(deployment).unavailable, wanted(deployment))
}

export function sizeOfNewest(
  deployment: Deployment,
  all: Sets,
  newest: ReplicaSet | undefined,
): number {
  if (!rolls(deployment)) return wanted(deployment)
  const room = wanted(deployment) + maxSurge(deployment) - total(all)
  return room <= 0
    ? sizeOf(newest)
    : sizeOf(newest) + Math.min(room, wanted(deployment) - sizeOf(newest))
}

/** After scaling during a rollout, each ReplicaSet changes in proportion. */
export function proportionalSizes(
  deployment: Deployment,
  sets: Sets,
): Map<Stored<ReplicaSet>, number> {
  const allowed = wanted(deployment) > 0 ? wanted(deployment) + maxSurge(deployment) : 0
  const change = allowed - total(sets)
  const sorted = [...sets].sort(
    (a, b) => sizeOf(b) - sizeOf(a) || (change > 0 ? newerFirst(a, b) : newerFirst(b, a)),
  )
  const sizes = new Map<Stored<ReplicaSet>, number>()
  let given = 0
  for (const set of sorted) {
    const part = change === 0 ? 0 : shareOf(deployment, set, change, given)
    given += part
    sizes.set(set, sizeOf(set) + part)
  }
  const [largest] = sorted
  if (largest !== undefined && change !== 0)
    sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + change - given))
  return sizes
}

function shareOf(
  deployment: Deployment,
  set: Stored<ReplicaSet>,
  change: number,
  given: number,
): number {
  if (sizeOf(set) === 0 || change === given) return 0
  const left = change - given
  const share = fractionOf(deployment, set)
  return change > 0 ? Math.min(share, left) : Math.max(share, left)
}

function fractionOf(deployment: Deployment, set: Stored<ReplicaSet>): number {
  if (wanted(deployment) === 0) return -sizeOf(set)
  const before = Number(set.metadata.annotations?.[MAXIMUM]) || deployment.status?.replicas || 1
  const grown = (sizeOf(set) * (wanted(deployment) + maxSurge(deployment))) / before
  return Math.round(grown) - sizeOf(set)
}

export const byAge = (a: Stored<ReplicaSet>, b: Stored<ReplicaSet>): number => {
  const [left, right] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '']
  if (left !== right) return left < right ? -1 : 1
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}
const newerFirst = (a: Stored<ReplicaSet>, b: Stored<ReplicaSet>): number => byAge(b, a)

/** At full size, with all pods available. */
export function isSaturated(
  deployment: Deployment,
  newest: Stored<ReplicaSet> | undefined,
): boolean {
  const size = wanted(deployment)
  return (
    newest !== undefined &&
    sizeOf(newest) === size &&
    newest.metadata.annotations?.[DESIRED] === String(size) &&
    newest.status?.availableReplicas === size
  )
}
