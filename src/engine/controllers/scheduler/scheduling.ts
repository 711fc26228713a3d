/** One attempt to schedule a pod, with what its filters and scores compute once for all nodes. */
import type { Scheduling } from './types'

export function newScheduling(given: Omit<Scheduling, 'once' | 'isPresent'>): Scheduling {
  const present = new Set(given.nodes)
  const computed = new Map<string, unknown>()
  return {
    ...given,
    isPresent: (state) => present.has(state),
    once<Value>(name: string, compute: () => Value): Value {
      if (!computed.has(name)) computed.set(name, compute())
      return computed.get(name) as Value
    },
  }
}
