/**
 * Requests to aggregated servers with front proxy identity (kubernetes.io, "Configure the
 * Aggregation Layer").
 */
import type { Clock } from '../core/environment'
import {
  type Outbound,
  OutboundError,
  type PassedRequest,
  type PassedResponse,
  type UpgradedResponse,
} from '../core/outbound'
import type { StreamSink } from '../http/messages'
import { clusterAddress, type Service, withinTime } from '../webhooks/client'
import type { RemoteVersion } from './remote-versions'

export interface FrontUser {
  name: string
  groups: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

/** Users of the server's own requests. */
export const AGGREGATOR: FrontUser = { name: 'system:kube-aggregator', groups: ['system:masters'] }
export const OPENAPI_AGGREGATOR: FrontUser = { name: 'system:aggregator', groups: [] }

export interface ServiceClient {
  clock: Clock
  /** Absent if the host cannot connect to other servers. */
  outbound: Outbound | undefined
  /** Front proxy certificate and key, PEM. */
  identity?: { certificate: string; key: string }
  readService(namespace: string, name: string): Promise<Service | undefined>
  unavailable?(name: string, reason: string): void
}

/** `https://10.96.0.7:443`. @throws OutboundError without a route */
export async function originOf(
  { readService }: ServiceClient,
  { service }: RemoteVersion,
): Promise<string> {
  const found = await readService(service.namespace, service.name)
  if (found === undefined) throw new OutboundError(`service "${service.name}" not found`)
  return `https://${clusterAddress(found, service.port)}`
}

type Passed = Pick<PassedRequest, 'method' | 'headers' | 'body'>

/** @param target path and query @throws OutboundError, also for invalid certificates */
export async function pass(
  reach: ServiceClient,
  remote: RemoteVersion,
  origin: string,
  target: string,
  passed: Passed,
  onCancel: (run: () => void) => void,
): Promise<PassedResponse> {
  const { outbound } = reach
  if (outbound?.pass === undefined) throw new OutboundError(NO_WAY)
  return outbound.pass(addressed(reach, remote, origin + target, passed), onCancel)
}

export async function passUpgrade(
  reach: ServiceClient,
  remote: RemoteVersion,
  origin: string,
  target: string,
  passed: Passed,
  onCancel: (run: () => void) => void,
): Promise<PassedResponse | UpgradedResponse> {
  const { outbound } = reach
  if (outbound?.upgrade === undefined) throw new OutboundError(NO_WAY)
  return outbound.upgrade(addressed(reach, remote, origin + target, passed), onCancel)
}

const NO_WAY = 'this server has no way to others'

function addressed(
  { identity }: ServiceClient,
  remote: RemoteVersion,
  url: string,
  { method, headers, body }: Passed,
): PassedRequest {
  const { service, certificates, certificateProblem, insecure } = remote
  if (certificateProblem !== undefined) throw new OutboundError(certificateProblem)
  return {
    method,
    url,
    service,
    serverName: `${service.name}.${service.namespace}.svc`,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(certificates === undefined ? {} : { certificates }),
    ...(identity === undefined ? {} : { identity }),
    ...(insecure ? { insecure } : {}),
  }
}

export interface Fetched {
  status: number
  contentType: string
  bytes: Uint8Array
}

/** @throws OutboundError, also for a timeout */
export function fetchDocument(
  reach: ServiceClient,
  remote: RemoteVersion,
  target: string,
  {
    seconds,
    late,
    accept,
    user,
  }: { seconds: number; late: string; accept?: string; user: FrontUser },
): Promise<Fetched> {
  return withinTime(reach.clock, seconds, late, async (onCancel) => {
    const headers = {
      ...(accept === undefined ? {} : { accept }),
      'user-agent': 'kube-apiserver',
      ...frontHeaders(user),
    }
    const {
      status,
      headers: responseHeaders,
      body,
    } = await pass(
      reach,
      remote,
      await originOf(reach, remote),
      target,
      { method: 'GET', headers },
      onCancel,
    )
    return {
      status,
      contentType: String(responseHeaders['content-type'] ?? ''),
      bytes: await wholeBody(body),
    }
  })
}

export function frontHeaders({
  name,
  groups,
  extra = {},
}: FrontUser): Record<string, string | string[]> {
  return {
    'x-remote-user': name,
    ...(groups.length > 0 ? { 'x-remote-group': [...groups] } : {}),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `x-remote-extra-${escapedKey(key)}`,
        [...values],
      ]),
    ),
  }
}

/** Percent-encodes `%` and characters that are invalid in header names. */
function escapedKey(key: string): string {
  let escaped = ''
  for (const byte of new TextEncoder().encode(key)) {
    const sign = String.fromCharCode(byte)
    escaped += /[A-Za-z0-9!#$&'*+\-.^_`|~]/.test(sign)
      ? sign
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return escaped.toLowerCase()
}

/** @throws OutboundError if the stream was interrupted */
export function wholeBody(body: PassedResponse['body']): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const encoder = new TextEncoder()
    const chunks: Uint8Array[] = []
    const sink: StreamSink = {
      write(chunk) {
        chunks.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
        return true
      },
      end: () => resolve(joined(chunks)),
      abort: () => reject(new OutboundError('unexpected EOF')),
    }
    body.start(sink)
  })
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
