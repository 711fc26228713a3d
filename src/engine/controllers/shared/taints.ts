/**
 * Matches taints with tolerations.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */
import type { Node, Taint, Toleration } from 'kubernetes-types/core/v1'
import { memoizeByIdentity } from '../../core/identity-memo'
import { smallest } from '../../core/lists'

export const NODE_TAINT = {
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
  unschedulable: 'node.kubernetes.io/unschedulable',
  memoryPressure: 'node.kubernetes.io/memory-pressure',
  diskPressure: 'node.kubernetes.io/disk-pressure',
  pidPressure: 'node.kubernetes.io/pid-pressure',
  networkUnavailable: 'node.kubernetes.io/network-unavailable',
  outOfService: 'node.kubernetes.io/out-of-service',
} as const

const tolerates = (toleration: Toleration, taint: Taint): boolean =>
  (!toleration.effect || toleration.effect === taint.effect) &&
  (!toleration.key || toleration.key === taint.key) &&
  (toleration.operator === 'Exists' || (toleration.value ?? '') === (taint.value ?? ''))

/** Up to this many tolerations, which is usual, a search is faster than an index. */
const FEW = 32

/** @returns the first matching toleration; an empty key or effect matches all */
export const tolerationOf = (
  tolerations: readonly Toleration[],
  taint: Taint,
): Toleration | undefined =>
  tolerations.length <= FEW
    ? tolerations.find((toleration) => tolerates(toleration, taint))
    : indexedToleration(tolerations, taint)

/** Of the parts that decide a match; `Exists` matches every value. */
const matchKey = (key = '', effect = '', value?: string): string =>
  JSON.stringify([key, effect, value])

/** The first toleration of each match key, so that many taints and tolerations cost linear time. */
const indexOf = memoizeByIdentity((tolerations: readonly Toleration[]) => {
  const first = new Map<string, number>()
  for (const [index, { key, effect, operator, value = '' }] of tolerations.entries()) {
    const match = matchKey(key, effect, operator === 'Exists' ? undefined : value)
    if (!first.has(match)) first.set(match, index)
  }
  return first
})

function indexedToleration(
  tolerations: readonly Toleration[],
  { key, effect, value = '' }: Taint,
): Toleration | undefined {
  const first = indexOf(tolerations)
  const found = [key, ''].flatMap((ofKey) =>
    [effect, ''].flatMap((ofEffect) =>
      [undefined, value].flatMap((ofValue) => first.get(matchKey(ofKey, ofEffect, ofValue)) ?? []),
    ),
  )
  return found.length === 0 ? undefined : tolerations[smallest(found)]
}

/** @returns the first taint with such an effect and no toleration */
export function untolerated(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  effects: readonly string[],
): Taint | undefined {
  return taints.find(
    (taint) => effects.includes(taint.effect) && tolerationOf(tolerations, taint) === undefined,
  )
}

export const taintsOf = ({ spec }: Node): Taint[] => spec?.taints ?? []
