/** A scheduling cycle of one pod, with a cache of results that hold for all nodes. */
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
