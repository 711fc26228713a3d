/**
 * Cluster DNS (https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/ and the
 * specification of Kubernetes DNS-based service discovery), and the resolver of a container.
 */
import { isAddress } from './addresses'
import type { RecordType } from './client'
import {
  type ClusterObjects,
  type NetworkEndpoint,
  type NetworkService,
  type NetworkSlice,
  SERVICE_LABEL,
} from './cluster'

const DOMAIN = 'cluster.local'

/** The file `/etc/resolv.conf`, as far as names depend on it. */
export interface Resolver {
  servers: readonly string[]
  search: readonly string[]
  ndots: number
}

export function resolverIn(text: string): Resolver {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const all = (word: string) => lines.flatMap(([first, ...rest]) => (first === word ? rest : []))
  const ndots = all('options').find((option) => option.startsWith('ndots:'))
  return {
    servers: all('nameserver'),
    search: all('search'),
    ndots: ndots === undefined ? 1 : Number(ndots.slice('ndots:'.length)),
  }
}

/** @returns the names to try, in their order (resolv.conf(5)) */
export function candidates(name: string, { search, ndots }: Resolver): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  const searched = search.map((domain) => `${name}.${domain}`)
  const dots = name.split('.').length - 1
  return dots >= ndots ? [name, ...searched] : [...searched, name]
}

/** Addresses of a name in a hosts file. */
export const hostsAddress = (text: string, name: string): string | undefined =>
  text
    .split('\n')
    .map((line) => (line.split('#', 1)[0] ?? '').trim().split(/\s+/))
    .find(([ip = '', ...names]) => !ip.includes(':') && names.includes(name))?.[0]

/** @param name without a trailing dot @returns undefined if the name does not exist */
export function recordsOf(
  name: string,
  type: RecordType,
  objects: Pick<ClusterObjects, 'services' | 'slices'>,
): readonly string[] | undefined {
  const lower = name.toLowerCase()
  if (lower.endsWith('.in-addr.arpa')) return pointers(lower, type, objects)
  if (!lower.endsWith(`.${DOMAIN}`)) return undefined
  const labels = lower.slice(0, -DOMAIN.length - 1).split('.')
  const [kind, namespace, service, ...rest] = labels.reverse()
  if (kind === 'pod' && namespace !== undefined && service !== undefined && rest.length === 0) {
    const ip = service.replaceAll('-', '.')
    return isAddress(ip) ? (type === 'A' ? [ip] : []) : undefined
  }
  if (kind !== 'svc' || namespace === undefined || service === undefined) return undefined
  const found = objects.services.find(
    ({ metadata }) => metadata.name === service && metadata.namespace === namespace,
  )
  if (found === undefined) return undefined
  return ofService(found, rest.reverse(), type, objects.slices)
}

function ofService(
  service: NetworkService,
  prefix: readonly string[],
  type: RecordType,
  slices: readonly NetworkSlice[],
): readonly string[] | undefined {
  const { metadata, spec } = service
  const full = `${metadata.name}.${metadata.namespace}.svc.${DOMAIN}`
  if (spec?.type === 'ExternalName')
    return prefix.length === 0 && spec.externalName
      ? type === 'A' || type === 'CNAME'
        ? [`${spec.externalName}.`]
        : []
      : undefined
  const isHeadless = spec?.clusterIP === 'None'
  const endpoints = isHeadless ? endpointsOf(service, slices) : []
  const [first = '', second = ''] = prefix
  if (prefix.length === 2) {
    const port = spec?.ports?.find(
      ({ name, protocol = 'TCP' }) =>
        `_${name}` === first && `_${protocol.toLowerCase()}` === second,
    )
    if (port === undefined) return undefined
    if (type !== 'SRV') return []
    return isHeadless
      ? endpoints.map(({ endpoint, ip, portOf }) => {
          const number = portOf(port.name) ?? port.port
          return `0 100 ${number} ${hostOf(endpoint, ip)}.${full}.`
        })
      : [`0 100 ${port.port} ${full}.`]
  }
  if (prefix.length === 1) {
    const ips = endpoints.filter(({ endpoint, ip }) => hostOf(endpoint, ip) === first)
    if (ips.length === 0) return undefined
    return type === 'A' ? ips.map(({ ip }) => ip) : []
  }
  if (prefix.length > 2) return undefined
  if (isHeadless && endpoints.length === 0) return undefined
  if (type !== 'A') return []
  return isHeadless ? endpoints.map(({ ip }) => ip) : spec?.clusterIP ? [spec.clusterIP] : []
}

const hostOf = ({ hostname }: NetworkEndpoint, ip: string): string =>
  hostname || ip.replaceAll('.', '-')

/** Endpoints that the cluster DNS publishes: the ready ones. */
export function endpointsOf({ metadata }: NetworkService, slices: readonly NetworkSlice[]) {
  return slices
    .filter(
      (slice) =>
        slice.metadata.namespace === metadata.namespace &&
        slice.metadata.labels?.[SERVICE_LABEL] === metadata.name &&
        slice.addressType !== 'IPv6',
    )
    .flatMap((slice) =>
      (slice.endpoints ?? [])
        .filter(({ conditions }) => conditions?.ready !== false)
        .flatMap((endpoint) =>
          (endpoint.addresses ?? []).slice(0, 1).map((ip) => ({
            endpoint,
            ip,
            portOf: (wanted = '') => slice.ports?.find(({ name = '' }) => name === wanted)?.port,
          })),
        ),
    )
}

function pointers(
  name: string,
  type: RecordType,
  { services, slices }: Pick<ClusterObjects, 'services' | 'slices'>,
): readonly string[] | undefined {
  const ip = name.slice(0, -'.in-addr.arpa'.length).split('.').reverse().join('.')
  const full = ({ metadata }: NetworkService) =>
    `${metadata.name}.${metadata.namespace}.svc.${DOMAIN}.`
  const names = services.flatMap((service) => {
    if (service.spec?.clusterIP === ip) return [full(service)]
    if (service.spec?.clusterIP !== 'None') return []
    return endpointsOf(service, slices)
      .filter((one) => one.ip === ip && one.endpoint.hostname)
      .map(({ endpoint }) => `${endpoint.hostname}.${full(service)}`)
  })
  return names.length === 0 ? undefined : type === 'PTR' ? names : []
}
