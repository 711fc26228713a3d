/**
 * Forwards proxied requests to the programs of simulated containers, and rewrites links and
 * redirects as kube-apiserver does (k8s.io/apimachinery, util/proxy).
 */
import type { KubeObject } from '../../core/object'
import type { HttpResponse } from '../../simulation/network/client'
import type { NetworkService } from '../../simulation/network/cluster'
import { pathBehind } from '../connection-admission'
import type { Exchange } from '../exchange'
import type { ApiResponse } from '../messages'
import { failure } from '../status'
import { networkOf } from './simulated-network'

export interface Backend {
  ip: string
  port: number
}

/** @returns the endpoint of a service for a port name or number; undefined if there is none */
export async function serviceBackend(
  { engine }: Exchange,
  service: KubeObject,
  port: string,
): Promise<Backend | undefined> {
  const network = await networkOf(engine)
  const { spec } = service as NetworkService
  const ports = spec?.ports ?? []
  const found =
    ports.find((one) => (/^\d+$/.test(port) ? one.port === Number(port) : one.name === port)) ??
    (port === '' && ports.length === 1 ? ports[0] : undefined)
  return found && network.select(service as NetworkService, found, { ip: '' }, undefined)
}

/**
 * The certificates of programs are not checked, as by kube-apiserver.
 * @returns undefined if the response of the program is not simulated
 * @throws ApiError 503 if nothing listens
 */
export async function forwarded(
  exchange: Exchange,
  { ip, port, usesTls = false }: Backend & { usesTls?: boolean },
): Promise<ApiResponse | undefined> {
  const { engine, info, request } = exchange
  const access = (await networkOf(engine)).from(undefined)
  const connection = access.connect(ip, port)
  if (connection.result === 'unknown') return undefined
  if (connection.result !== 'open') {
    const reason = connection.result === 'closed' ? 'connect: connection refused' : 'i/o timeout'
    throw unreachable(`dial tcp ${ip}:${port}: ${reason}`)
  }
  if (usesTls && !connection.encrypted)
    throw unreachable('http: server gave HTTP response to HTTPS client')
  if (connection.encrypted && !usesTls)
    return { status: 400, headers: {}, body: 'Client sent an HTTP request to an HTTPS server.\n' }
  const path = pathBehind(info)
  const [whole = '', ...rest] = request.target.split('?')
  const query = rest.length > 0 ? `?${rest.join('?')}` : ''
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (path === '' && reads)
    return { status: 301, headers: { location: `${whole}/${query}` }, body: '' }
  const response = access.request(connection, {
    method: request.method,
    path: `${path || '/'}${query}`,
  })
  const prefix = path === '' ? whole : whole.slice(0, whole.length - path.length)
  return response && sent(response, prefix, request.method)
}

const unreachable = (why: string): Error =>
  failure(503, 'ServiceUnavailable', `error trying to reach service: ${why}`)

function sent(
  { status, headers, body }: HttpResponse,
  prefix: string,
  method: string,
): ApiResponse {
  const { location } = headers
  const isPage = headers['content-type']?.startsWith('text/html') ?? false
  const text = isPage ? withPrefix(body, prefix) : body
  return {
    status,
    headers: {
      ...headers,
      ...(location?.startsWith('/') && { location: `${prefix}${location}` }),
    },
    body: method === 'HEAD' ? '' : text,
  }
}

/** Links of a page to the root of the server lead through the proxy. */
const withPrefix = (page: string, prefix: string): string =>
  page.replace(
    /\b(href|src|action|background|cite|longdesc|profile)="(\/[^"]{0,2000})"/g,
    (whole, name: string, path: string) =>
      path.startsWith(prefix) ? whole : `${name}="${prefix}${path}"`,
  )
