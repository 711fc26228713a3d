/**
 * Proxies requests to aggregated servers (kubernetes.io, "Kubernetes API Aggregation Layer"). 503
 * responses: recordings kinds-apiext-apireg, apiservice-remote.
 */

import { spokenProtocols } from '../authentication/web-socket-protocol'
import { AUDIT_ID_HEADER } from '../core/names'
import { setMember } from '../core/object'
import { OutboundError } from '../core/outbound'
import type { ApiRequest, ApiResponse } from '../http/messages'
import type { Trace } from '../telemetry/trace'
import type { RemoteVersion } from './remote-versions'
import {
  type FrontUser,
  frontHeaders,
  originOf,
  pass,
  passUpgrade,
  type ServiceClient,
  wholeBody,
} from './service-client'

type Traced = Pick<Trace, 'id' | 'terminatedBy'>

const plain = (status: number, text: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: `${text}\n`,
})

function unavailable(trace: Traced | undefined): ApiResponse {
  if (trace) trace.terminatedBy = 'aggregator'
  return plain(503, 'service unavailable')
}

/** Hop-by-hop, user and engine-handled headers. */
const OWN =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|authorization|impersonate-.*|x-remote-.*)$/

/**
 * @param user after impersonation
 * @param streams false buffers the response
 * @param trace its audit id is forwarded
 */
export async function proxyToService(
  reach: ServiceClient,
  remote: RemoteVersion,
  request: ApiRequest,
  user: FrontUser,
  { streams, trace }: { streams: boolean; trace?: Traced },
): Promise<ApiResponse> {
  if (!remote.available) return unavailable(trace)
  if (remote.certificateProblem !== undefined) return plain(500, remote.certificateProblem)
  let origin: string
  try {
    origin = await originOf(reach, remote)
  } catch (error) {
    if (error instanceof OutboundError) return unavailable(trace)
    throw error
  }
  if (requestsUpgrade(request) && reach.outbound?.upgrade !== undefined)
    return upgraded(reach, remote, origin, request, user, trace)
  const bytes = await request.body()
  const passed = {
    method: request.method,
    headers: {
      ...passedHeaders(request, user, origin),
      ...(trace === undefined ? {} : { [AUDIT_ID_HEADER]: trace.id }),
    },
    ...(bytes.length > 0 ? { body: bytes } : {}),
  }
  try {
    const { status, headers, body } = await pass(
      reach,
      remote,
      origin,
      request.target,
      passed,
      (run) => request.onClose?.(run),
    )
    return { status, headers, body: streams ? body : await wholeBody(body) }
  } catch (error) {
    if (error instanceof OutboundError)
      return plain(503, `error trying to reach service: ${error.message}`)
    throw error
  }
}

const requestsUpgrade = (request: ApiRequest): boolean =>
  /upgrade/i.test(request.header('connection') ?? '') && request.header('upgrade') !== undefined

/** Returns only error responses, if the server does not switch protocols. */
async function upgraded(
  reach: ServiceClient,
  remote: RemoteVersion,
  origin: string,
  request: ApiRequest,
  user: FrontUser,
  trace: Traced | undefined,
): Promise<ApiResponse> {
  const { method, target } = request
  const headers = {
    ...passedHeaders(request, user, origin),
    connection: 'Upgrade',
    upgrade: request.header('upgrade') ?? '',
    ...(trace === undefined ? {} : { [AUDIT_ID_HEADER]: trace.id }),
  }
  try {
    const response = await passUpgrade(reach, remote, origin, target, { method, headers }, (run) =>
      request.onClose?.(run),
    )
    if ('passage' in response) return response
    const body = await wholeBody(response.body)
    return response.status < 400
      ? plain(503, `invalid upgrade response: status code ${response.status}`)
      : { ...response, body }
  } catch (error) {
    if (error instanceof OutboundError) return plain(503, `error dialing backend: ${error.message}`)
    throw error
  }
}

function forwardedFor(request: ApiRequest): { 'x-forwarded-for'?: string } {
  const before = request.header('x-forwarded-for')
  const address = request.remoteAddress?.()?.replace(/^::ffff:(?=.*\.)/, '')
  const all = [before, address].filter((part) => part !== undefined)
  return all.length === 0 ? {} : { 'x-forwarded-for': all.join(', ') }
}

const PROTOCOLS = 'sec-websocket-protocol'
const withoutToken = (protocols: string): string => spokenProtocols(protocols).join(', ')

function passedHeaders(
  request: ApiRequest,
  user: FrontUser,
  origin: string,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const name of request.headerNames()) {
    const value = request.header(name)
    if (value !== undefined && !OWN.test(name))
      setMember(headers, name, name === PROTOCOLS ? withoutToken(value) : value)
  }
  return {
    ...headers,
    ...forwardedFor(request),
    'x-forwarded-uri': request.target.split('?')[0] ?? '/',
    'x-forwarded-host': origin.slice('https://'.length),
    'x-forwarded-proto': 'https',
    ...frontHeaders(user),
  }
}
