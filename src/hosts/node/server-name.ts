/**
 * Verifies the name in a server's certificate by the rules of Go, which ignore the common name.
 * Texts: crypto/x509, `HostnameError`.
 */
import { isIP } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'

const NAME = 'DNS:'
const ADDRESS = 'IP Address:'

/** @returns the error of a certificate that is not valid for the host */
export function checkServerName(host: string, certificate: PeerCertificate): Error | undefined {
  const isAddress = isIP(host) !== 0
  const valid = alternativesOf(certificate, isAddress ? ADDRESS : NAME)
  const mismatch = checkServerIdentity(host, certificate)
  if (mismatch === undefined && valid.length > 0) return undefined
  const reason = reasonOf(host, certificate, valid, mismatch === undefined)
  return Object.assign(new Error(reason), { code: 'ERR_TLS_CERT_ALTNAME_INVALID', reason })
}

const alternativesOf = ({ subjectaltname = '' }: PeerCertificate, kind: string): string[] =>
  subjectaltname
    .split(', ')
    .flatMap((name) => (name.startsWith(kind) ? [name.slice(kind.length)] : []))

function reasonOf(
  host: string,
  { subject, subjectaltname }: PeerCertificate,
  valid: readonly string[],
  matchesCommonName: boolean,
): string {
  if (subjectaltname === undefined && (matchesCommonName || subject?.CN === host))
    return 'certificate relies on legacy Common Name field, use SANs instead'
  if (valid.length > 0) return `certificate is valid for ${valid.join(', ')}, not ${host}`
  return isIP(host) === 0
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : `cannot validate certificate for ${host} because it doesn't contain any IP SANs`
}
