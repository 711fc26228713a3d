/** Conditions that the server itself notes in a pod's status. */
import type { PodCondition } from './pod-types'

/**
 * The conditions of a pod with one that holds from now on, in its old place if it has one, and since whenever it holds already (public).
 * @param time now, as objects show it
 * @param why reason and message, if there are any
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
