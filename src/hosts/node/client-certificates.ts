/** Client certificates, which Node.js requests and verifies on the HTTPS port. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SecureContextOptions } from 'node:tls'
import { type DetailedPeerCertificate, TLSSocket, type TlsOptions } from 'node:tls'
import type { ClientCertificate } from '../../engine/http/messages'
import { FlagError, type Flags } from './flags'

type Authority = ClientCertificate['authorities'][number]

export interface ClientAuthorities {
  /** Requests a certificate, and accepts clients without one. */
  options: Pick<TlsOptions, 'requestCert' | 'rejectUnauthorized'> & Pick<SecureContextOptions, 'ca'>
  certificateOf(socket: unknown): ClientCertificate | undefined
}

const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * Accepts certificates of the cluster's own CA if no flag configures either: clusters commonly give
 * the server and the signer the same CA.
 */
export const trustsOwnAuthority = (flags: Flags): boolean =>
  flags['secure-port'] >= 0 &&
  flags['client-ca-file'] === '' &&
  flags['cluster-signing-cert-file'] === ''

/**
 * @returns undefined if no client certificates are accepted
 * @throws the system's error for an unreadable file, FlagError without certificates
 */
export function clientAuthorities(flags: Flags): ClientAuthorities | undefined {
  const clients = certificatesOf('client-ca-file', flags)
  const proxies = certificatesOf('requestheader-client-ca-file', flags)
  const own = trustsOwnAuthority(flags)
  if (clients.length + proxies.length === 0 && !own) return undefined
  const known = new WeakMap<TLSSocket, { certificate: ClientCertificate | undefined }>()
  const vouching: Record<Authority, Set<string>> = {
    clients: fingerprints(clients),
    proxies: fingerprints(proxies),
  }
  const verified = (socket: TLSSocket): ClientCertificate | undefined => {
    const found = presented(socket, vouching, [...clients, ...proxies])
    return own && found ? { ...found, pem: pemOf(socket) } : found
  }
  return {
    options: {
      ca: [...clients, ...proxies].map((certificate) => certificate.toString()),
      requestCert: true,
      rejectUnauthorized: false,
    },
    certificateOf(socket) {
      if (!(socket instanceof TLSSocket)) return undefined
      const found = known.get(socket) ?? { certificate: verified(socket) }
      known.set(socket, found)
      return found.certificate
    },
  }
}

function certificatesOf(
  flag: 'client-ca-file' | 'requestheader-client-ca-file',
  flags: Flags,
): X509Certificate[] {
  const file = flags[flag]
  if (file === '') return []
  const blocks = readFileSync(file, 'utf8').match(BLOCK) ?? []
  if (blocks.length === 0) throw new FlagError(`--${flag}: ${file} holds no certificates`)
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch (error) {
    throw new FlagError(
      `--${flag}: ${file} is of no use: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

const fingerprints = (certificates: X509Certificate[]) =>
  new Set(certificates.map(({ fingerprint256 }) => fingerprint256))

function presented(
  socket: TLSSocket,
  vouching: Record<Authority, Set<string>>,
  trusted: readonly X509Certificate[],
): ClientCertificate | undefined {
  const peer = socket.getPeerCertificate(true)
  if (!peer?.subject) return undefined
  const verifyError = socket.authorized ? undefined : String(socket.authorizationError)
  const endsEarly = verifyError !== undefined && NO_ROOT.includes(verifyError)
  const chain = endsEarly
    ? chainToAny(trusted, socket.getPeerX509Certificate(), Date.now())
    : verifyError
      ? []
      : chainOf(peer)
  const authorities = (['clients', 'proxies'] as const).filter((one) =>
    chain.some((fingerprint) => vouching[one].has(fingerprint)),
  )
  const { CN, O } = peer.subject as { CN?: string | string[]; O?: string | string[] }
  return {
    commonName: [CN ?? ''].flat().at(-1) ?? '',
    organizations: [O ?? []].flat(),
    notAfter: Date.parse(peer.valid_to),
    authorities,
    ...(chain.length > 0 ? {} : { problem: verifyError ?? 'no chain' }),
  }
}

/** PEM, the client's own certificate first. */
function pemOf(socket: TLSSocket): string {
  const shown: string[] = []
  for (let one = socket.getPeerX509Certificate(); one !== undefined; one = one.issuerCertificate) {
    const pem = one.toString()
    if (shown.includes(pem)) break
    shown.push(pem)
  }
  return shown.join('')
}

/** Fingerprints from the client's certificate to the self-signed root. */
function chainOf(peer: DetailedPeerCertificate): string[] {
  const chain: string[] = []
  for (
    let one: DetailedPeerCertificate | undefined = peer;
    one?.fingerprint256 && !chain.includes(one.fingerprint256);
  ) {
    chain.push(one.fingerprint256)
    one = one.issuerCertificate
  }
  return chain
}

/** Errors of a chain without a self-signed root. */
const NO_ROOT = [
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]
/** Extended key usages of a client (RFC 5280, section 4.2.1.12): clientAuth and any. */
const CLIENT_PURPOSES = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']

/**
 * Verifies a chain to any configured certificate, as Go's crypto/x509: intermediate CAs and the
 * client's own certificate are trust anchors. OpenSSL wants self-signed roots.
 * @param now milliseconds since the epoch
 * @returns fingerprints from the client's certificate to the trusted one; empty if none is trusted
 */
function chainToAny(
  trusted: readonly X509Certificate[],
  presented: X509Certificate | undefined,
  now: number,
): string[] {
  const purposes = presented?.keyUsage as string[] | undefined
  if (purposes !== undefined && !purposes.some((purpose) => CLIENT_PURPOSES.includes(purpose)))
    return []
  const chain: string[] = []
  for (
    let one = presented;
    one !== undefined && isInTime(one, now) && !chain.includes(one.fingerprint256);
    one = one.issuerCertificate
  ) {
    const subject = one
    chain.push(subject.fingerprint256)
    if (trusted.some(({ fingerprint256 }) => fingerprint256 === subject.fingerprint256))
      return chain
    const issuer = trusted.find(
      (authority) => isInTime(authority, now) && hasIssued(authority, subject),
    )
    if (issuer !== undefined) return [...chain, issuer.fingerprint256]
    if (subject.issuerCertificate !== undefined && !hasIssued(subject.issuerCertificate, subject))
      return []
  }
  return []
}

const isInTime = ({ validFrom, validTo }: X509Certificate, now: number) =>
  Date.parse(validFrom) <= now && now <= Date.parse(validTo)

const hasIssued = (authority: X509Certificate, subject: X509Certificate) =>
  authority.ca && subject.checkIssued(authority) && subject.verify(authority.publicKey)
