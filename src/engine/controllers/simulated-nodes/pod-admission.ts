/**
 * Whether a pod can be on the node that it was given: who names a node himself passes the scheduler by, and the node's agent refuses
 * what does not fit (public documentation, "Assigning Pods to Nodes", `nodeName`; texts as real agents tell them).
 */
import type { Node, Pod } from 'kubernetes-types/core/v1'
import { equalJson } from '../../object'
import type { Stored } from '../runtime/stored'
import { requestsOf, stateWith } from '../scheduler/cluster'
import { NO_FREE_PORTS, NOT_BY_AFFINITY, portsCollide } from '../scheduler/filters'
import { allowsNode } from '../shared/node-affinity'

export interface AdmitFailure {
  reason: string
  message: string
}

/**
 * What pods may have of a node of which somebody says that it has more than a machine has: all of that (public documentation,
 * "Advertise Extended Resources for a Node": the node's agent follows `status.capacity`).
 * @param own what the machine itself has @returns undefined: what they may have already
 */
export function extendedAllocatable(
  { status }: Stored<Node>,
  own: object,
): Record<string, string> | undefined {
  const { capacity = {}, allocatable = {} } = status ?? {}
  const isOwn = ([name]: [string, string]) => Object.hasOwn(own, name)
  const kept = Object.entries(allocatable).filter(isOwn)
  const wanted = Object.fromEntries([
    ...kept,
    ...Object.entries(capacity).filter((entry) => !isOwn(entry)),
  ])
  return equalJson(wanted, allocatable) ? undefined : wanted
}

/** In this order, before resources of other kinds. */
const FIRST = ['cpu', 'memory', 'ephemeral-storage']

/**
 * What pods may set in the kernel unless their node allows more (public documentation, "Using sysctls in a Kubernetes Cluster"); a
 * slash may stand for a dot.
 */
const SAFE_SYSCTLS: readonly string[] = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_syncookies',
]

/** @param present pods that the node has taken already and that have not ended */
export function admitPod(
  pod: Stored<Pod>,
  node: Stored<Node>,
  present: Stored<Pod>[],
): AdmitFailure | undefined {
  const { requested, allocatable } = stateWith(node, present)
  const asked = new Map([['pods', 1], ...requestsOf(pod)])
  const names = [
    'pods',
    ...FIRST,
    ...[...asked.keys()].filter((name) => name !== 'pods' && !FIRST.includes(name)).sort(),
  ]
  for (const name of names) {
    const amount = asked.get(name) ?? 0
    const [used, capacity] = [requested.get(name) ?? 0, allocatable.get(name)]
    // What the node has never heard of is none of its business.
    if (
      amount === 0 ||
      (capacity === undefined && name.includes('/')) ||
      amount <= (capacity ?? 0) - used
    )
      continue
    const numbers = `requested: ${amount}, used: ${used}, capacity: ${capacity ?? 0}`
    return {
      reason: `OutOf${name}`,
      message: `Node didn't have enough resource: ${name}, ${numbers}`,
    }
  }
  if (!allowsNode(pod, node)) return failed('NodeAffinity', NOT_BY_AFFINITY)
  if (portsCollide(pod, present)) return failed('NodePorts', NO_FREE_PORTS)
  if ((pod.spec?.os?.name ?? 'linux') !== (node.status?.nodeInfo?.operatingSystem ?? 'linux'))
    return {
      reason: 'PodOSNotSupported',
      message: "Failed to admit pod as the OS field doesn't match node OS",
    }
  const unsafe = pod.spec?.securityContext?.sysctls?.find(
    ({ name }) => !SAFE_SYSCTLS.includes(name.replaceAll('/', '.')),
  )
  return (
    unsafe && {
      reason: 'SysctlForbidden',
      message: `forbidden sysctl: ${JSON.stringify(unsafe.name)} not allowlisted`,
    }
  )
}

const failed = (predicate: string, why: string): AdmitFailure => ({
  reason: predicate,
  message: `Predicate ${predicate} failed: ${why}`,
})
