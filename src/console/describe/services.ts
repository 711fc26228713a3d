import type { Endpoints, Service } from 'kubernetes-types/core/v1'
import type { Endpoint, EndpointPort, EndpointSlice } from 'kubernetes-types/discovery/v1'
import { firstOf } from '../../engine/encoding/tables/resource-table'
import { type ClusterReader, describes } from './description'
import { head } from './metadata'
import type { Report } from './report'
import { NONE, orNone, orUnset, pairsOf, UNSET } from './words'

const MOST_ADDRESSES = 3
const SERVICE_LABEL = 'kubernetes.io/service-name'

export const slicesOf = (
  service: string,
  namespace: string | undefined,
  reader: ClusterReader,
): Promise<EndpointSlice[]> =>
  reader.list<EndpointSlice>('endpointslices.discovery.k8s.io', namespace, {
    labels: `${SERVICE_LABEL}=${service}`,
  })

/** `10.244.1.9:80,10.244.2.7:80 + 2 more...`: first addresses of ready endpoints. */
export function readyAddresses(slices: EndpointSlice[], port: string): string {
  if (slices.length === 0) return NONE
  const addresses = slices.flatMap(({ endpoints, ports }) =>
    (ports ?? [])
      .filter(({ name = '' }) => name === port)
      .flatMap(({ port: number }) =>
        (endpoints ?? [])
          .filter(({ conditions }) => conditions?.ready !== false)
          .map(
            ({ addresses: [address = ''] }) =>
              `${address.includes(':') ? `[${address}]` : address}:${number}`,
          ),
      ),
  )
  return firstOf(addresses, MOST_ADDRESSES)
}

export const service = describes<Service, EndpointSlice[]>({
  related: ({ metadata }, reader) => slicesOf(metadata?.name ?? '', metadata?.namespace, reader),
  write: (report, { metadata, spec = {}, status }, slices) => {
    head(report, metadata)
    report.field(0, 'Selector', orNone(pairsOf(spec.selector).join(',')))
    report.field(0, 'Type', spec.type)
    report.optional(0, 'IP Family Policy', spec.ipFamilyPolicy)
    report.field(0, 'IP Families', orNone(spec.ipFamilies?.join(',')))
    report.field(0, 'IP', spec.clusterIP)
    report.field(0, 'IPs', orNone(spec.clusterIPs?.join(',')))
    if (spec.externalIPs?.length) report.field(0, 'External IPs', spec.externalIPs.join(','))
    report.optional(0, 'Desired LoadBalancer IP', spec.loadBalancerIP)
    report.optional(0, 'External Name', spec.externalName)
    const ingress = (status?.loadBalancer?.ingress ?? []).map((entry) => {
      const { ip, hostname, ipMode } = entry as { ip?: string; hostname?: string; ipMode?: string }
      return ip ? (ipMode ? `${ip} (${ipMode})` : ip) : (hostname ?? '')
    })
    report.optional(0, 'LoadBalancer Ingress', ingress.join(', '))
    ports(report, spec, slices)
    report.field(0, 'Session Affinity', spec.sessionAffinity)
    report.optional(0, 'External Traffic Policy', spec.externalTrafficPolicy)
    report.optional(0, 'Internal Traffic Policy', spec.internalTrafficPolicy)
    report.optional(0, 'HealthCheck NodePort', spec.healthCheckNodePort)
    if (spec.loadBalancerSourceRanges?.length)
      report.field(0, 'LoadBalancer Source Ranges', spec.loadBalancerSourceRanges.join(','))
  },
})

function ports(
  report: Report,
  { ports: list = [] }: NonNullable<Service['spec']>,
  slices: EndpointSlice[],
): void {
  for (const { name, port, protocol, targetPort, nodePort } of list) {
    report.line(0, 'Port:', name || UNSET, `${port}/${protocol}`)
    report.field(0, 'TargetPort', `${targetPort}/${protocol}`)
    if (nodePort) report.line(0, 'NodePort:', name || UNSET, `${nodePort}/${protocol}`)
    report.field(0, 'Endpoints', readyAddresses(slices, name ?? ''))
  }
}

export const endpoints = describes<Endpoints>({
  write: (report, { metadata, subsets }) => {
    head(report, metadata)
    report.line(0, 'Subsets:')
    for (const { addresses, notReadyAddresses, ports: list } of subsets ?? []) {
      const ips = (of: typeof addresses): string => orNone((of ?? []).map(({ ip }) => ip).join(','))
      report.field(1, 'Addresses', ips(addresses))
      report.field(1, 'NotReadyAddresses', ips(notReadyAddresses))
      if (list?.length) {
        report.line(1, 'Ports:')
        portTable(report, 2, list)
      }
      report.line(0, '')
    }
  },
})

function portTable(report: Report, level: number, list: EndpointPort[]): void {
  report.line(level, 'Name', 'Port', 'Protocol')
  report.line(level, '----', '----', '--------')
  for (const { name, port, protocol } of list)
    report.line(level, name || UNSET, orUnset(port), protocol)
}

export const endpointSlice = describes<EndpointSlice>({
  write: (report, { metadata, addressType, ports: list, endpoints: members }) => {
    head(report, metadata)
    report.field(0, 'AddressType', addressType)
    if (list?.length) {
      report.line(0, 'Ports:')
      portTable(report, 1, list)
    } else report.line(0, `Ports: ${UNSET}`)
    if (!members?.length) {
      report.line(0, `Endpoints: ${NONE}`)
      return
    }
    report.line(0, 'Endpoints:')
    for (const member of members) endpoint(report, member)
  },
})

function endpoint(
  report: Report,
  { addresses, conditions, hostname, targetRef, nodeName, zone }: Endpoint,
): void {
  report.field(1, '- Addresses', addresses.join(', '))
  report.line(2, 'Conditions:')
  report.field(3, 'Ready', orUnset(conditions?.ready))
  report.field(2, 'Hostname', orUnset(hostname))
  if (targetRef) report.field(2, 'TargetRef', `${targetRef.kind}/${targetRef.name}`)
  report.field(2, 'NodeName', orUnset(nodeName))
  report.field(2, 'Zone', orUnset(zone))
}
