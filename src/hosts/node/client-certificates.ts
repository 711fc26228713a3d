/** Certificates that clients bring: asked for by the HTTPS port, checked by the platform against the authorities it was given. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SecureContextOptions } from 'node:tls'
import { type DetailedPeerCertificate, TLSSocket, type TlsOptions } from 'node:tls'
import type { ClientCertificate } from '../../engine/http/messages'
import { FlagError, type Flags } from './flags'

type Authority = ClientCertificate['authorities'][number]

export interface ClientAuthorities {
  /** What the HTTPS port is opened with: a certificate is asked for, and a client without one is welcome too. */
  options: Pick<TlsOptions, 'requestCert' | 'rejectUnauthorized'> & Pick<SecureContextOptions, 'ca'>
  /** Whom the other end of a connection has proved to be. */
  certificateOf(socket: unknown): ClientCertificate | undefined
}

const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * @returns undefined if no authorities are given
 * @throws the system's error if a file cannot be read, FlagError if it holds no certificates
 */
export function clientAuthorities(flags: Flags): ClientAuthorities | undefined {
  const clients = certificatesOf('client-ca-file', flags)
  const proxies = certificatesOf('requestheader-client-ca-file', flags)
  if (clients.length + proxies.length === 0) return undefined
  const known = new WeakMap<TLSSocket, { certificate: ClientCertificate | undefined }>()
  const vouching: Record<Authority, Set<string>> = { clients: fingerprints(clients), proxies: fingerprints(proxies) }
  return {
    options: { ca: [...clients, ...proxies].map((certificate) => certificate.toString()), requestCert: true, rejectUnauthorized: false },
    certificateOf(socket) {
      if (!(socket instanceof TLSSocket)) return undefined
      const found = known.get(socket) ?? { certificate: presented(socket, vouching) }
      known.set(socket, found)
      return found.certificate
    },
  }
}

function certificatesOf(flag: 'client-ca-file' | 'requestheader-client-ca-file', flags: Flags): X509Certificate[] {
  const file = flags[flag]
  if (file === '') return []
  const blocks = readFileSync(file, 'utf8').match(BLOCK) ?? []
  if (blocks.length === 0) throw new FlagError(`--${flag}: ${file} holds no certificates`)
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch (error) {
    throw new FlagError(`--${flag}: ${file} is of no use: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const fingerprints = (certificates: X509Certificate[]) => new Set(certificates.map(({ fingerprint256 }) => fingerprint256))

function presented(socket: TLSSocket, vouching: Record<Authority, Set<string>>): ClientCertificate | undefined {
  const peer = socket.getPeerCertificate(true)
  // The platform's word for no certificate is an object without members.
  if (!peer?.subject) return undefined
  const chain = socket.authorized ? chainOf(peer) : []
  const authorities = (['clients', 'proxies'] as const).filter((one) => chain.some((fingerprint) => vouching[one].has(fingerprint)))
  const { CN, O } = peer.subject as { CN?: string | string[]; O?: string | string[] }
  return {
    commonName: [CN ?? ''].flat().at(-1) ?? '',
    organizations: [O ?? []].flat(),
    authorities,
    ...(socket.authorized ? {} : { problem: String(socket.authorizationError) }),
  }
}

/** From the client's own certificate to the root, which is its own issuer. */
function chainOf(peer: DetailedPeerCertificate): string[] {
  const chain: string[] = []
  for (let one: DetailedPeerCertificate | undefined = peer; one?.fingerprint256 && !chain.includes(one.fingerprint256); ) {
    chain.push(one.fingerprint256)
    one = one.issuerCertificate
  }
  return chain
}
