import type { PodCondition } from './pod-types'

/** Keeps the transition time of an existing condition. @param time RFC 3339 */
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
