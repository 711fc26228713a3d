import type { Endpoints, LoadBalancerIngress, Service } from 'kubernetes-types/core/v1'
import type { EndpointSlice } from 'kubernetes-types/discovery/v1'
import type { Ingress, IngressClass, NetworkPolicy } from 'kubernetes-types/networking/v1'
import { API_DOMAIN } from '../../core/names'
import {
  firstOf,
  labelsText,
  NONE,
  type ResourceTables,
  table,
  UNKNOWN,
  UNSET,
} from './resource-table'
import { selectorCell } from './workloads'

const DISCOVERY = `discovery.${API_DOMAIN}`
const NETWORKING = `networking.${API_DOMAIN}`

/** Items before `+ n more...`. */
const MOST = 3

function ingressPoints(points: LoadBalancerIngress[] | undefined): string[] {
  const names = (points ?? [])
    .map(({ ip, hostname }) => ip || hostname || '')
    .filter((name) => name !== '')
  return [...new Set(names)].sort()
}

function externalAddress({ spec, status }: Service): string {
  const extra = spec?.externalIPs ?? []
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return extra.join(',') || NONE
    case 'LoadBalancer':
      return [...ingressPoints(status?.loadBalancer?.ingress), ...extra].join(',') || '<pending>'
    case 'ExternalName':
      return spec.externalName ?? ''
    default:
      return UNKNOWN
  }
}

function servicePorts({ spec }: Service): string {
  const ports = (spec?.ports ?? []).map(
    ({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? ''}`,
  )
  return ports.join(',') || NONE
}

const hostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

function endpointAddresses({ subsets }: Endpoints): string {
  if (!subsets || subsets.length === 0) return NONE
  const shown = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port))),
  )
  return firstOf(shown, MOST)
}

/** Rules without a host are counted but not shown. */
function ingressHosts(ingress: Ingress): string {
  const rules = ingress.spec?.rules ?? []
  const hosts: string[] = []
  let more = false
  for (const { host } of rules) {
    if (hosts.length === MOST) more = true
    else if (host) hosts.push(host)
  }
  if (hosts.length === 0) return '*'
  return more ? `${hosts.join(',')} + ${rules.length - MOST} more...` : hosts.join(',')
}

function classParameters({ spec }: IngressClass): string {
  const parameters = spec?.parameters
  if (!parameters) return NONE
  const kind =
    parameters.apiGroup === undefined
      ? parameters.kind
      : `${parameters.kind}.${parameters.apiGroup}`
  return `${kind}/${parameters.name}`
}

interface ServiceCidr {
  spec?: { cidrs?: string[] }
}
interface IpAddress {
  spec?: { parentRef?: { group?: string; resource?: string; namespace?: string; name?: string } }
}

function parentOf({ spec }: IpAddress): string {
  const parent = spec?.parentRef
  if (!parent) return NONE
  const resource = parent.group
    ? `${parent.resource ?? ''}.${parent.group}`
    : (parent.resource ?? '')
  return [
    resource.toLowerCase(),
    ...(parent.namespace ? [parent.namespace] : []),
    parent.name ?? '',
  ].join('/')
}

export const networkingTables: ResourceTables = {
  services: table<Service>((service) => ({
    Type: service.spec?.type ?? '',
    'Cluster-IP': service.spec?.clusterIPs?.[0] ?? NONE,
    'External-IP': externalAddress(service),
    'Port(s)': servicePorts(service),
    Selector: labelsText(service.spec?.selector),
  })),
  endpoints: table<Endpoints>((endpoints) => ({ Endpoints: endpointAddresses(endpoints) })),
  [`endpointslices.${DISCOVERY}`]: table<EndpointSlice>(({ addressType, ports, endpoints }) => ({
    AddressType: addressType ?? '',
    Ports:
      firstOf(
        (ports ?? []).map(({ port, name }) => String(port ?? name ?? '*')),
        MOST,
      ) || UNSET,
    Endpoints:
      firstOf(
        (endpoints ?? []).flatMap(({ addresses }) => addresses),
        MOST,
      ) || UNSET,
  })),
  [`ingresses.${NETWORKING}`]: table<Ingress>((ingress) => ({
    Class: ingress.spec?.ingressClassName ?? NONE,
    Hosts: ingressHosts(ingress),
    Address: ingressPoints(ingress.status?.loadBalancer?.ingress).join(','),
    Ports: ingress.spec?.tls?.length ? '80, 443' : '80',
  })),
  [`ingressclasses.${NETWORKING}`]: table<IngressClass>((ingressClass) => ({
    Controller: ingressClass.spec?.controller ?? '',
    Parameters: classParameters(ingressClass),
  })),
  [`networkpolicies.${NETWORKING}`]: table<NetworkPolicy>(({ spec }) => ({
    'Pod-Selector': selectorCell(spec?.podSelector),
  })),
  [`servicecidrs.${NETWORKING}`]: table<ServiceCidr>(({ spec }) => ({
    CIDRs: (spec?.cidrs ?? []).join(','),
  })),
  [`ipaddresses.${NETWORKING}`]: table<IpAddress>((address) => ({ ParentRef: parentOf(address) }), {
    hasUnnamedAge: true,
  }),
}
