/**
 * Whether a pod can be on the node that it was given: who names a node himself passes the scheduler by, and the node's agent refuses
 * what does not fit (public documentation, "Assigning Pods to Nodes", `nodeName`; texts as real agents tell them).
 */
import type { Node, Pod } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'
import { requestsOf, stateWith } from '../scheduler/cluster'
import { NO_FREE_PORTS, NOT_BY_AFFINITY, portsCollide } from '../scheduler/filters'
import { allowsNode } from '../shared/node-affinity'

export interface Misfit {
  reason: string
  message: string
}

/** In this order, before resources of other kinds. */
const FIRST = ['cpu', 'memory', 'ephemeral-storage']

/** @param present pods that the node has taken already and that have not ended */
export function misfit(pod: Stored<Pod>, node: Stored<Node>, present: Stored<Pod>[]): Misfit | undefined {
  const { requested, allocatable } = stateWith(node, present)
  const asked = new Map([['pods', 1], ...requestsOf(pod)])
  const names = ['pods', ...FIRST, ...[...asked.keys()].filter((name) => name !== 'pods' && !FIRST.includes(name)).sort()]
  for (const name of names) {
    const amount = asked.get(name) ?? 0
    const [used, capacity] = [requested.get(name) ?? 0, allocatable.get(name)]
    // What the node has never heard of is none of its business.
    if (amount === 0 || (capacity === undefined && name.includes('/')) || amount <= (capacity ?? 0) - used) continue
    const numbers = `requested: ${amount}, used: ${used}, capacity: ${capacity ?? 0}`
    return { reason: `OutOf${name}`, message: `Node didn't have enough resource: ${name}, ${numbers}` }
  }
  if (!allowsNode(pod, node)) return failed('NodeAffinity', NOT_BY_AFFINITY)
  return portsCollide(pod, present) ? failed('NodePorts', NO_FREE_PORTS) : undefined
}

const failed = (predicate: string, why: string): Misfit => ({ reason: predicate, message: `Predicate ${predicate} failed: ${why}` })
