/**
 * Messages of the kubelet. `nodeName` bypasses the scheduler:
 * https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename
 */
import type { Node, Pod } from 'kubernetes-types/core/v1'
import { equalJson } from '../../core/object'
import type { Stored } from '../runtime/stored'
import { requestsOf, stateWith } from '../scheduler/cluster'
import { NO_FREE_PORTS, NOT_BY_AFFINITY, portsCollide } from '../scheduler/filters'
import { allowsNode } from '../shared/node-affinity'

export interface AdmitFailure {
  reason: string
  message: string
}

/**
 * Resources that clients add to `status.capacity` become allocatable:
 * https://kubernetes.io/docs/tasks/administer-cluster/extended-resource-node/
 * @returns undefined if current
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

/** Checked first, in this order. */
const FIRST = ['cpu', 'memory', 'ephemeral-storage']

/** Slashes may replace dots. https://kubernetes.io/docs/tasks/administer-cluster/sysctl-cluster/ */
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

/** @param present active pods */
export function admitPod(
  pod: Stored<Pod>,
  node: Stored<Node>,
  present: Stored<Pod>[],
): AdmitFailure | undefined {
  const { requested, allocatable } = stateWith(node, present)
  const requests = new Map([['pods', 1], ...requestsOf(pod)])
  const names = [
    'pods',
    ...FIRST,
    ...[...requests.keys()].filter((name) => name !== 'pods' && !FIRST.includes(name)).sort(),
  ]
  for (const name of names) {
    const amount = requests.get(name) ?? 0
    const [used, capacity] = [requested.get(name) ?? 0, allocatable.get(name)]
    // Ignores extended resources that the node does not have.
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
