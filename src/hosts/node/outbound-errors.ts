/** Connection errors worded as Go's client, which kube-apiserver's messages quote. */
import { OutboundError } from '../../engine/core/outbound'

const UNKNOWN_AUTHORITY = 'x509: certificate signed by unknown authority'
const EXPIRED = 'x509: certificate has expired or is not yet valid'
const CERTIFICATE_ERRORS = new Map([
  ['CERT_HAS_EXPIRED', EXPIRED],
  ['CERT_NOT_YET_VALID', EXPIRED],
  ['CERT_SIGNATURE_FAILURE', UNKNOWN_AUTHORITY],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_AUTHORITY],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_AUTHORITY],
])

const CONNECT_ERRORS = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ENETUNREACH', 'network is unreachable'],
  ['ETIMEDOUT', 'connection timed out'],
  ['EHOSTUNREACH', 'no route to host'],
])

type NetworkError = Error & {
  code?: string
  address?: string
  port?: number
  hostname?: string
  reason?: string
}

/** @returns the error as Go's client reports it; an OutboundError is unchanged */
export function outboundError(error: NetworkError): OutboundError {
  return error instanceof OutboundError ? error : new OutboundError(textOf(error))
}

function textOf(error: NetworkError): string {
  const { code = '', address, port, hostname } = error
  const certificate = CERTIFICATE_ERRORS.get(code)
  if (certificate !== undefined) return `tls: failed to verify certificate: ${certificate}`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `tls: failed to verify certificate: x509: ${error.reason ?? error.message}`
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return 'http: server gave HTTP response to HTTPS client'
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${hostname}: no such host`
  const reason = CONNECT_ERRORS.get(code)
  if (reason !== undefined && address !== undefined)
    return `dial tcp ${address.includes(':') ? `[${address}]` : address}:${port}: connect: ${reason}`
  return code === 'ECONNRESET' ? 'EOF' : error.message
}
