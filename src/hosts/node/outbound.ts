/** Requests of the server itself over the network. */

import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { BodyStream } from '../../engine/http/messages'
import { entryOf } from '../../engine/object'
import {
  type Outbound,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
  type PassedRequest,
  type PassedResponse,
} from '../../engine/outbound'
import { trusting } from './trust'

/** @param services where services of the cluster really listen, by `namespace/name:port`: `http://127.0.0.1:9000` */
export const outboundOver = (services: ReadonlyMap<string, string>): Required<Outbound> => ({
  post: (asked, onCancel) => send('POST', located(asked, services), onCancel),
  get: (asked, onCancel) => send('GET', located(asked, services), onCancel),
  pass: (asked, onCancel) => pass(located(asked, services), onCancel),
})

export const networkOutbound = outboundOver(new Map())

type Sent = Omit<PassedRequest, 'method' | 'headers' | 'body'> & { headers: PassedRequest['headers']; body?: string | Uint8Array }

function located<Asked extends Pick<OutboundRequest, 'service' | 'connectTo'>>(asked: Asked, services: ReadonlyMap<string, string>): Asked {
  const { service } = asked
  const known = service && services.get(`${service.namespace}/${service.name}:${service.port}`)
  return known === undefined ? asked : { ...asked, connectTo: known }
}

/** @returns the request under way: its body has been sent @throws OutboundError through `fail` */
function begun(method: string, asked: Sent, onCancel: (run: () => void) => void, fail: (error: OutboundError) => void): ClientRequest {
  const url = new URL(asked.url)
  const options = optionsOf(method, url, asked)
  const request = (options.protocol === 'https:' ? requestSecure : requestPlain)(options)
  onCancel(() => request.destroy())
  request.on('error', (error) => fail(new OutboundError(reasonOf(error))))
  request.end(asked.body)
  return request
}

/** Headers that are about the connection. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
])

function pass(asked: PassedRequest, onCancel: (run: () => void) => void): Promise<PassedResponse> {
  return new Promise((resolve, reject) => {
    begun(asked.method, asked, onCancel, reject).on('response', (response) => {
      const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]): [string, string | string[]][] =>
        HOP_BY_HOP.has(name) ? [] : [[name, values.length === 1 ? (values[0] as string) : values]],
      )
      resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(headers), body: streamOf(response) })
    })
  })
}

const streamOf = (response: IncomingMessage): BodyStream => ({
  start(sink) {
    response.on('data', (chunk: Buffer) => void sink.write(chunk))
    response.on('end', () => sink.end())
    response.on('error', () => sink.abort())
    return () => response.destroy()
  },
})

function send(method: 'GET' | 'POST', asked: Sent, onCancel: (run: () => void) => void): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new OutboundError(reasonOf(error)))
    begun(method, asked, onCancel, reject).on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        const answer: OutboundResponse = {
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          body: Buffer.concat(chunks).toString('utf8'),
        }
        resolve(answer)
      })
    })
  })
}

function optionsOf(method: string, url: URL, { headers, body, connectTo, certificates, identity, serverName, insecure }: Sent) {
  const target = new URL(connectTo === undefined ? url : connectTo.includes('://') ? connectTo : `${url.protocol}//${connectTo}`)
  const options: RequestOptions & {
    protocol: string
    cert?: string
    key?: string
    servername?: string
    rejectUnauthorized?: boolean
  } = {
    method,
    protocol: target.protocol,
    hostname: target.hostname.replace(/^\[|\]$/g, ''),
    port: target.port || (target.protocol === 'https:' ? 443 : 80),
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    agent: false,
  }
  if (certificates !== undefined) Object.assign(options, trusting(certificates))
  if (identity !== undefined) Object.assign(options, { cert: identity.certificate, key: identity.key })
  if (serverName !== undefined || connectTo !== undefined) options.servername = serverName ?? url.hostname
  if (insecure) options.rejectUnauthorized = false
  return options
}

const UNKNOWN_AUTHORITY = 'x509: certificate signed by unknown authority'
const OUT_OF_TIME = 'x509: certificate has expired or is not yet valid'
const CERTIFICATE_PROBLEMS: Record<string, string> = {
  CERT_HAS_EXPIRED: OUT_OF_TIME,
  CERT_NOT_YET_VALID: OUT_OF_TIME,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'no route to host',
}

/** As Go's client words it, for the errors that people run into. */
function reasonOf(error: Error & { code?: string; address?: string; port?: number; hostname?: string; reason?: string }): string {
  const { code = '', address, port, hostname } = error
  const certificate = entryOf(CERTIFICATE_PROBLEMS, code)
  if (certificate !== undefined) return `tls: failed to verify certificate: ${certificate}`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: x509: ${error.reason ?? error.message}`
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return 'http: server gave HTTP response to HTTPS client'
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${hostname}: no such host`
  const reason = entryOf(REASONS, code)
  if (reason !== undefined && address !== undefined)
    return `dial tcp ${address.includes(':') ? `[${address}]` : address}:${port}: connect: ${reason}`
  return code === 'ECONNRESET' ? 'EOF' : error.message
}
