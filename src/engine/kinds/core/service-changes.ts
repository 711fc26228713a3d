/** Rules of changes of the type of a Service. Recorded from kube-apiserver 1.31. */
import { equalJson } from '../../core/object'
import {
  isExternal,
  isExternalName,
  isLoadBalancer,
  mayHaveNodePorts,
  needsHealthPort,
  needsNodePorts,
  type Service,
  type ServiceSpec,
} from './service-types'

const OWN_STATUS = { loadBalancer: {} }

/** `clusterIP` is the first of `clusterIPs`: either sets both. */
export function pairAddresses(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const { clusterIP: address = '' } = spec
  if (old === undefined) {
    if (address !== '' && !spec.clusterIPs?.length) spec.clusterIPs = [address]
    return
  }
  const sameAddress = address === (old.clusterIP ?? '')
  const hasNoOtherAddresses =
    !spec.clusterIPs?.length || equalJson(spec.clusterIPs, old.clusterIPs ?? [])
  if (!sameAddress && hasNoOtherAddresses) spec.clusterIPs = address === '' ? null : [address]
}

/** Unless the update sets them. */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (!isExternalName(spec) && !isExternalName(old)) {
    if (!spec.clusterIP) spec.clusterIP = old.clusterIP ?? ''
    if (!spec.clusterIPs?.length && spec.clusterIP === old.clusterIP)
      spec.clusterIPs = old.clusterIPs ?? null
  }
  // Unused ones stay only if the update sets them.
  if (needsNodePorts(spec) && needsNodePorts(old)) keepNodePorts(spec, old)
  if (needsHealthPort(spec) && needsHealthPort(old) && !spec.healthCheckNodePort)
    spec.healthCheckNodePort = old.healthCheckNodePort ?? 0
}

function keepNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const named = new Map((old.ports ?? []).map((port) => [port.name ?? '', port.nodePort ?? 0]))
  const used = new Set((spec.ports ?? []).map((port) => port.nodePort ?? 0))
  for (const port of spec.ports ?? []) {
    if (port.nodePort) continue
    const before = named.get(port.name ?? '') ?? 0
    if (before !== 0 && !used.has(before)) port.nodePort = before
  }
}

/** What the update sets stays: validation rejects it. */
export function dropUnused(service: Service, old: ServiceSpec): void {
  const { spec } = service
  if (spec === undefined) return
  const kept = (...members: (keyof ServiceSpec)[]) =>
    members.every((member) => equalJson(spec[member] ?? null, old[member] ?? null))
  const drop = (...members: (keyof ServiceSpec)[]) => {
    for (const member of members) delete spec[member]
  }
  if (isExternalName(spec) && !isExternalName(old)) {
    if ((kept('clusterIP') || !spec.clusterIP) && (kept('clusterIPs') || !spec.clusterIPs?.length))
      drop('clusterIP', 'clusterIPs')
    for (const member of ['ipFamilies', 'ipFamilyPolicy'] as const) if (kept(member)) drop(member)
  }
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(spec) && sameNodePorts(spec, old)) {
    for (const port of spec.ports ?? []) delete port.nodePort
  }
  if (needsHealthPort(old) && !needsHealthPort(spec) && kept('healthCheckNodePort'))
    drop('healthCheckNodePort')
  if (isLoadBalancer(old) && !isLoadBalancer(spec)) {
    for (const member of ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] as const)
      if (kept(member)) drop(member)
  }
  if (isExternal(old) && !isExternal(spec) && kept('externalTrafficPolicy'))
    drop('externalTrafficPolicy')
  if (!isLoadBalancer(spec)) service.status = { ...service.status, ...OWN_STATUS }
}

/** Unset ones are the same. */
function sameNodePorts(spec: ServiceSpec, old: ServiceSpec): boolean {
  const before = new Set((old.ports ?? []).map((port) => port.nodePort ?? 0))
  return (spec.ports ?? []).every((port) => !port.nodePort || before.has(port.nodePort))
}
