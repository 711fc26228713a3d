import type { Service } from 'kubernetes-types/core/v1'
import type { EndpointSlice } from 'kubernetes-types/discovery/v1'
import type { Ingress, IngressBackend, IngressClass } from 'kubernetes-types/networking/v1'
import { type ClusterReader, describes } from './description'
import { annotations, head, labels } from './metadata'
import type { Report } from './report'
import { readyAddresses, slicesOf } from './services'
import { NONE } from './words'

interface BehindService {
  service: Service | undefined
  slices: EndpointSlice[]
}
type Services = Map<string, BehindService>

async function servicesBehind(
  { metadata, spec }: Ingress,
  reader: ClusterReader,
): Promise<Services> {
  const backends = [
    spec?.defaultBackend,
    ...(spec?.rules ?? []).flatMap(({ http }) => http?.paths.map(({ backend }) => backend) ?? []),
  ]
  const names = new Set(backends.flatMap((backend) => backend?.service?.name ?? []))
  if (!spec?.defaultBackend) names.add(DEFAULT_SERVICE)
  const found = await Promise.all(
    [...names].map(async (name): Promise<[string, BehindService]> => {
      const namespace =
        name === DEFAULT_SERVICE && !spec?.defaultBackend ? 'kube-system' : metadata?.namespace
      const [service, slices] = await Promise.all([
        reader.get<Service>('services', namespace, name),
        slicesOf(name, namespace, reader),
      ])
      return [name, { service, slices }]
    }),
  )
  return new Map(found)
}

/** Default backend of older controllers. */
const DEFAULT_SERVICE = 'default-http-backend'

function backendText({ service, resource }: IngressBackend): string {
  if (service) return `${service.name}:${service.port?.name || (service.port?.number ?? 0)}`
  if (resource)
    return `APIGroup: ${resource.apiGroup ?? NONE}, Kind: ${resource.kind}, Name: ${resource.name}`
  return ''
}

/** A backend's endpoints, or why they are unknown. */
function addresses({ service: wanted }: IngressBackend, services: Services): string {
  const { service, slices } = services.get(wanted?.name ?? '') ?? { service: undefined, slices: [] }
  if (service === undefined) return `<error: services "${wanted?.name}" not found>`
  const port = service.spec?.ports?.find(({ name, port: number }) =>
    wanted?.port?.name ? name === wanted.port.name : number === wanted?.port?.number,
  )
  return readyAddresses(slices, port?.name ?? '')
}

const shown = (backend: IngressBackend, services: Services): string =>
  backend.service
    ? `${backendText(backend)} (${addresses(backend, services)})`
    : backendText(backend)

export const ingress = describes<Ingress, Services>({
  related: servicesBehind,
  write: (report, { metadata, spec, status }, services) => {
    report.field(0, 'Name', metadata?.name)
    labels(report, 0, metadata?.labels)
    report.field(0, 'Namespace', metadata?.namespace)
    report.field(
      0,
      'Address',
      (status?.loadBalancer?.ingress ?? [])
        .map(({ ip, hostname }) => ip || hostname || '')
        .join(','),
    )
    report.field(0, 'Ingress Class', spec?.ingressClassName ?? NONE)
    const byDefault = spec?.defaultBackend
    report.field(0, 'Default backend', byDefault ? shown(byDefault, services) : '<default>')
    if (spec?.tls?.length) {
      report.line(0, 'TLS:')
      for (const { hosts, secretName } of spec.tls) {
        const names = (hosts ?? []).join(',')
        report.line(1, secretName ? `${secretName} terminates ${names}` : `SNI routes ${names}`)
      }
    }
    rules(report, spec, byDefault, services)
    annotations(report, 0, metadata?.annotations)
  },
})

function rules(
  report: Report,
  spec: Ingress['spec'],
  byDefault: IngressBackend | undefined,
  services: Services,
): void {
  report.line(0, 'Rules:')
  report.line(1, 'Host', 'Path', 'Backends')
  report.line(1, '----', '----', '--------')
  const routed = (spec?.rules ?? []).filter(({ http }) => http)
  for (const { host, http } of routed) {
    report.line(1, host || '*', '')
    for (const { path = '', backend } of http?.paths ?? [])
      report.line(2, '', `${path} `, shown(backend, services))
  }
  if (routed.length === 0)
    report.line(1, '*', '*', byDefault ? shown(byDefault, services) : '<default>')
}

export const ingressClass = describes<IngressClass>({
  write: (report, { metadata, spec }) => {
    head(report, metadata, false)
    report.field(0, 'Controller', spec?.controller)
    const { parameters } = spec ?? {}
    if (!parameters) return
    report.line(0, 'Parameters:')
    report.optional(1, 'APIGroup', parameters.apiGroup)
    report.field(1, 'Kind', parameters.kind)
    report.field(1, 'Name', parameters.name)
  },
})
