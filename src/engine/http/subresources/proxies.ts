/**
 * Proxies to services and nodes. They behave as in kube-apiserver up to the connection. Programs of
 * simulated containers respond; other backends are reported as unreachable (recordings `access-special`, `core-services`).
 */
import { API_DOMAIN } from '../../core/names'
import type { JsonObject, KubeObject } from '../../core/object'
import { storageKey, storageRange } from '../../registry/resource'
import { goQuote } from '../../schema/go-text'
import type { Exchange } from '../exchange'
import type { ApiResponse } from '../messages'
import { badRequest, failure, notFound, serverError } from '../status'
import { forwarded, serviceBackend } from './simulated-proxy'

interface Node extends KubeObject {
  status?: { addresses?: { type: string; address: string }[] }
}

/** The default of --kubelet-preferred-address-types. */
const PREFERRED_ADDRESSES = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP']

interface Proxied {
  name: string
  port: string
  usesTls: boolean
}

/**
 * `name`, `name:port` or `scheme:name:port`.
 * @throws ApiError 400
 */
export function proxiedName(id: string, what: string): Proxied {
  const parts = id.split(':')
  const [name = '', port = ''] = parts.length === 3 ? parts.slice(1) : parts
  const scheme = parts.length === 3 ? (parts[0] as string) : ''
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme)) {
    throw badRequest(`invalid ${what} request ${goQuote(id)}`)
  }
  return { name, port, usesTls: scheme === 'https' }
}

async function stored(
  { engine, info }: Exchange,
  plural: string,
  name: string,
): Promise<KubeObject | undefined> {
  const resource = engine.resources.find('', 'v1', plural)
  return resource && (await engine.storage.get(storageKey(resource, info.namespace, name)))?.object
}

interface Service extends KubeObject {
  spec?: { ports?: { port: number }[] }
}

interface Endpoints extends KubeObject {
  subsets?: JsonObject[]
}

async function hasSubsets(exchange: Exchange, name: string): Promise<boolean> {
  const endpoints = (await stored(exchange, 'endpoints', name)) as Endpoints | undefined
  if (endpoints === undefined) throw notFound({ group: '', resource: 'services' }, name)
  return Boolean(endpoints.subsets?.length)
}

interface EndpointSlice extends KubeObject {
  endpoints?: { addresses?: string[] }[] | null
}

const SLICE_OF = 'kubernetes.io/service-name'

async function hasSliceOf({ engine, info }: Exchange, name: string): Promise<boolean> {
  const resource = engine.resources.find(`discovery.${API_DOMAIN}`, 'v1', 'endpointslices')
  if (resource === undefined) return false
  const { items } = await engine.storage.range(storageRange(resource, info.namespace))
  return items.some(
    ({ object }) =>
      object.metadata.labels?.[SLICE_OF] === name &&
      (object as EndpointSlice).endpoints?.some(({ addresses }) => addresses?.length),
  )
}

export async function proxyToService(exchange: Exchange): Promise<ApiResponse> {
  const { name, port, usesTls } = proxiedName(exchange.info.name, 'service')
  const target = { group: '', resource: 'services' }
  if (/^\d+$/.test(port)) {
    const service = (await stored(exchange, 'services', name)) as Service | undefined
    if (service === undefined) throw notFound(target, name)
    if (!service.spec?.ports?.some((known) => known.port === Number(port))) {
      throw unavailable(`no service port ${Number(port)} found for service ${goQuote(name)}`)
    }
  }
  const isReachable = exchange.engine.tables.changes.has('ProxiesReadEndpointSlices')
    ? await hasSliceOf(exchange, name)
    : await hasSubsets(exchange, name)
  if (!isReachable) throw unavailable(`no endpoints available for service ${goQuote(name)}`)
  const service = await stored(exchange, 'services', name)
  const backend = service && (await serviceBackend(exchange, service, port))
  const response = backend && (await forwarded(exchange, { ...backend, usesTls }))
  if (response) return response
  throw unreachable(`service ${name}`)
}

export async function proxyToNode(exchange: Exchange): Promise<ApiResponse> {
  const { name } = proxiedName(exchange.info.name, 'node')
  const node = (await stored(exchange, 'nodes', name)) as Node | undefined
  if (node === undefined) throw notFound({ group: '', resource: 'nodes' }, name)
  const known = node.status?.addresses ?? []
  if (!known.some(({ type }) => PREFERRED_ADDRESSES.includes(type)))
    throw serverError(
      `no preferred addresses found; known addresses: [${known.map(({ type, address }) => `{${type} ${address}}`).join(' ')}]`,
    )
  throw unreachable(`node ${name}`)
}

const unavailable = (message: string): Error => failure(503, 'ServiceUnavailable', message)

const unreachable = (what: string): Error =>
  failure(
    501,
    'NotImplemented',
    `this simulator runs no containers: nothing responds behind ${what}`,
    {},
  )
