/**
 * Parses service account key files as kube-apiserver: RSA or ECDSA in PEM, private, public, or
 * certificates.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { readCertificates } from '../../engine/authentication/certificates/x509'
import type { Jwk, SigningAuthority } from '../../engine/core/environment'
import { type Identity, servingCertificate } from './certificate'
import { FlagError, type Flags } from './flags'

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g

/** @throws the system's error for an unreadable file, FlagError without a supported key */
export function serviceAccountKeys(flags: Flags): { signingKey?: Jwk; checkingKeys?: Jwk[] } {
  const signing = flags['service-account-signing-key-file']
  const given = flags['service-account-key-file']
  return {
    ...(signing === ''
      ? {}
      : { signingKey: privateKeyOf(signing, 'service-account-signing-key-file') }),
    ...(given.length > 0
      ? { checkingKeys: given.flatMap(publicKeysOf) }
      : keysOfConnections(flags)),
  }
}

/** By default the key of the HTTPS port verifies tokens, if its kind is supported. */
function keysOfConnections(flags: Flags): { checkingKeys?: Jwk[] } {
  const file = flags['tls-private-key-file']
  if (file === '' || flags['service-account-signing-key-file'] !== '') return {}
  try {
    return { checkingKeys: publicKeysOf(file) }
  } catch (error) {
    if (error instanceof FlagError) return {}
    throw error
  }
}

/**
 * The configured serving certificate, if any.
 * @throws the system's error for an unreadable file, FlagError if invalid or only one is given
 */
export function configuredIdentity(flags: Flags): Identity | undefined {
  const [certificate, key] = [flags['tls-cert-file'], flags['tls-private-key-file']]
  if (certificate === '' && key === '') return undefined
  if (certificate === '' || key === '')
    throw new FlagError('tls-cert-file and tls-private-key-file must be specified together')
  return identityIn(certificate, key, 'tls-cert-file')
}

function identityIn(certificate: string, key: string, flag: string): Identity {
  const identity = { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }
  try {
    createSecureContext(identity)
  } catch (error) {
    throw unusable(flag, certificate, error)
  }
  return identity
}

/**
 * The serving certificate: the configured one, else that of `--cert-dir` (created if missing), else
 * a new one.
 * @param now milliseconds since the epoch
 * @throws as `configuredIdentity`, and the system's error if the directory cannot be written
 */
export function servingIdentity(flags: Flags, now: number): Identity {
  const given = configuredIdentity(flags)
  const folder = flags['cert-dir']
  if (given !== undefined || folder === '') return given ?? servingCertificate('kubetab', now)
  const [certificate, key] = [join(folder, 'apiserver.crt'), join(folder, 'apiserver.key')]
  if (!existsSync(certificate) || !existsSync(key)) {
    const made = servingCertificate('kubetab', now)
    mkdirSync(folder, { recursive: true })
    writeFileSync(certificate, made.cert)
    writeFileSync(key, made.key, { mode: 0o600 })
  }
  return identityIn(certificate, key, 'cert-dir')
}

/**
 * Parses `--cluster-signing-*`.
 * @throws the system's error for an unreadable file, FlagError if invalid or only one is given
 */
export function signingAuthority(flags: Flags): { signingAuthority?: SigningAuthority } {
  const [certificate, key] = [flags['cluster-signing-cert-file'], flags['cluster-signing-key-file']]
  if (certificate === '' && key === '') return {}
  if (certificate === '' || key === '')
    throw new FlagError(
      'cluster-signing-cert-file and cluster-signing-key-file must be specified together',
    )
  const text = readFileSync(certificate, 'utf8')
  try {
    readCertificates(text)
  } catch (error) {
    throw unusable('cluster-signing-cert-file', certificate, error)
  }
  return {
    signingAuthority: { certificate: text, key: privateKeyOf(key, 'cluster-signing-key-file') },
  }
}

function privateKeyOf(file: string, flag: string): Jwk {
  const text = readFileSync(file, 'utf8')
  try {
    return jwkOf(createPrivateKey(text))
  } catch (error) {
    throw unusable(flag, file, error)
  }
}

function publicKeysOf(file: string): Jwk[] {
  const blocks = readFileSync(file, 'utf8').match(BLOCK) ?? []
  // PEM files of elliptic keys may contain parameters.
  const keys = blocks.filter((block) => !block.startsWith('-----BEGIN EC PARAMETERS'))
  if (keys.length === 0) throw unusable('service-account-key-file', file, 'it holds no PEM blocks')
  try {
    return keys.map((block) => jwkOf(createPublicKey(block)))
  } catch (error) {
    throw unusable('service-account-key-file', file, error)
  }
}

function unusable(flag: string, file: string, why: unknown): FlagError {
  return new FlagError(
    `--${flag}: ${file} is of no use: ${why instanceof Error ? why.message : String(why)}`,
  )
}

/** @throws Error for a key of another kind */
export function jwkOf(key: KeyObject): Jwk {
  const {
    kty,
    crv = '',
    n = '',
    e = '',
    x = '',
    y = '',
    d,
    ...factors
  } = key.export({ format: 'jwk' })
  if (kty === 'RSA') return { kty, n, e, ...(d ? { d, ...primes(factors) } : {}) }
  if (kty === 'EC' && (crv === 'P-256' || crv === 'P-384' || crv === 'P-521'))
    return { kty, crv, x, y, ...(d ? { d } : {}) }
  throw new Error(`keys of kind ${kty}${crv && ` ${crv}`} sign no tokens`)
}

function primes({ p = '', q = '', dp = '', dq = '', qi = '' }: JsonWebKey) {
  return { p, q, dp, dq, qi }
}
