/** Requests of the server itself over the network. */
import { type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { type Outbound, OutboundError, type OutboundRequest, type OutboundResponse } from '../../engine/outbound'

export const networkOutbound: Outbound = {
  post: (asked, onCancel) => send('POST', asked, onCancel),
  get: (asked, onCancel) => send('GET', asked, onCancel),
}

type Sent = Omit<OutboundRequest, 'body'> & { body?: string }

function send(method: 'GET' | 'POST', asked: Sent, onCancel: (run: () => void) => void): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const url = new URL(asked.url)
    const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(optionsOf(method, url, asked))
    onCancel(() => request.destroy())
    const fail = (error: Error) => reject(new OutboundError(reasonOf(error)))
    request.on('error', fail)
    request.on('response', (response) => {
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
    request.end(asked.body)
  })
}

function optionsOf(method: string, url: URL, { headers, body, connectTo, certificates, identity, serverName, insecure }: Sent) {
  const target = new URL(connectTo === undefined ? url : `${url.protocol}//${connectTo}`)
  const options: RequestOptions & { ca?: string; cert?: string; key?: string; servername?: string; rejectUnauthorized?: boolean } = {
    method,
    hostname: target.hostname.replace(/^\[|\]$/g, ''),
    port: target.port || (url.protocol === 'https:' ? 443 : 80),
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    agent: false,
  }
  if (certificates !== undefined) options.ca = certificates
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
  const certificate = CERTIFICATE_PROBLEMS[code]
  if (certificate !== undefined) return `tls: failed to verify certificate: ${certificate}`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: x509: ${error.reason ?? error.message}`
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return 'http: server gave HTTP response to HTTPS client'
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${hostname}: no such host`
  const reason = REASONS[code]
  if (reason !== undefined && address !== undefined)
    return `dial tcp ${address.includes(':') ? `[${address}]` : address}:${port}: connect: ${reason}`
  return code === 'ECONNRESET' ? 'EOF' : error.message
}
