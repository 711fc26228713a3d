/** Conditions that the server itself sets in a pod's status. */
import type { PodCondition } from './pod-types'

/**
 * Adds a condition with status True, or keeps the transition time of an existing one.
 * @param time now, in RFC 3339
 * @param why reason and message, if any
 */
export function withCondition(
  conditions: readonly PodCondition[],
  type: string,
  time: string,
  why: Pick<PodCondition, 'reason' | 'message'> = {},
): PodCondition[] {
  const place = conditions.findIndex((known) => known.type === type)
  const before = conditions[place]
  const lastTransitionTime = before?.status === 'True' ? (before.lastTransitionTime ?? null) : time
  const condition: PodCondition = {
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime,
    ...why,
  }
  return before === undefined ? [...conditions, condition] : conditions.with(place, condition)
}
