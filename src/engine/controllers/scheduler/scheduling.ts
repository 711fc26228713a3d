/** Caches results of one pod that hold for all nodes. */
import type { NodeState } from './cluster'
import type { Scheduling } from './types'

export function newScheduling(
  given: Omit<Scheduling, 'once' | 'isPresent' | 'presentOf'>,
): Scheduling {
  const present = new Set(given.nodes)
  let byUid: Map<string | undefined, NodeState> | undefined
  const computed = new Map<string, unknown>()
  return {
    ...given,
    isPresent: (state) => present.has(state),
    presentOf({ node }) {
      byUid ??= new Map(given.nodes.map((state) => [state.node.metadata.uid, state]))
      return byUid.get(node.metadata.uid)
    },
    once<Value>(name: string, compute: () => Value): Value {
      if (!computed.has(name)) computed.set(name, compute())
      return computed.get(name) as Value
    },
  }
}
