import { algorithmOf, type Jwk, type Signatures } from '../../core/environment'
import { memoizeByIdentity } from '../../core/identity-memo'
import type { JsonObject, KubeObject } from '../../core/object'
import { sha256 } from '../../encoding/sha256'
import { base64Url, bytesOfBase64Url } from '../../schema/base64'
import type { Storage } from '../../storage/storage'
import { bitString, integer, NULL, objectIdentifier, sequence } from './der'

/** Object identifiers: RFC 5480, section 2.1.1.1. */
const CURVES = {
  'P-256': { identifier: '2a8648ce3d030107', bytes: 32 },
  'P-384': { identifier: '2b81040022', bytes: 48 },
  'P-521': { identifier: '2b81040023', bytes: 66 },
} as const
const RSA_ENCRYPTION = '2a864886f70d010101'
const EC_PUBLIC_KEY = '2a8648ce3d0201'
const UNCOMPRESSED = 0x04

/** For `kid`: the hash of SubjectPublicKeyInfo. */
export const keyId = memoizeByIdentity((key: Jwk) => base64Url(sha256(publicKeyInfo(key))))

/** SubjectPublicKeyInfo (RFC 5280). */
export function publicKeyInfo(key: Jwk): Uint8Array {
  const bytes = (text: string) => bytesOfBase64Url(text) ?? new Uint8Array()
  if (key.kty === 'RSA') {
    const algorithm = sequence(objectIdentifier(RSA_ENCRYPTION), NULL)
    return sequence(algorithm, bitString(sequence(integer(bytes(key.n)), integer(bytes(key.e)))))
  }
  const { identifier, bytes: size } = CURVES[key.crv]
  const point = new Uint8Array(1 + 2 * size)
  point[0] = UNCOMPRESSED
  point.set(bytes(key.x), 1 + size - bytes(key.x).length)
  point.set(bytes(key.y), 1 + 2 * size - bytes(key.y).length)
  return sequence(
    sequence(objectIdentifier(EC_PUBLIC_KEY), objectIdentifier(identifier)),
    bitString(point),
  )
}

export function publicKey(key: Jwk): JsonObject {
  const head = { use: 'sig', kty: key.kty, kid: keyId(key) }
  return key.kty === 'RSA'
    ? { ...head, alg: algorithmOf(key), n: key.n, e: key.e }
    : { ...head, crv: key.crv, alg: algorithmOf(key), x: key.x, y: key.y }
}

export interface KeySource {
  /** The private key. */
  signing(): Promise<Jwk>
  /** Only existing keys; creates none. */
  checking(): Promise<Jwk[]>
}

/** Outside of /registry: neither the API nor an export has it. */
const STORED_AT = '/kubetab/service-account-signing-key'

interface StoredKey extends KubeObject {
  key: Jwk
}

/** Engines that share a store share the key. */
export function storedKey(storage: Storage, signatures: Signatures): KeySource {
  const stored = async () => ((await storage.get(STORED_AT))?.object as StoredKey | undefined)?.key
  let making: Promise<Jwk> | undefined
  const make = async (): Promise<Jwk> => {
    const object: StoredKey = {
      kind: 'SigningKey',
      apiVersion: 'kubetab/v1',
      metadata: { name: 'service-accounts', resourceVersion: '0' },
      key: await signatures.generateKey(),
    }
    const result = await storage.transaction(
      [{ key: STORED_AT, revision: 0 }],
      [{ type: 'put', key: STORED_AT, object }],
    )
    const kept = result.succeeded ? result.stored[0] : result.current
    if (kept === undefined) throw new Error('the signing key vanished while it was made')
    return (kept.object as StoredKey).key
  }
  return {
    async signing() {
      const key = await stored()
      if (key) return key
      making ??= make().finally(() => {
        making = undefined
      })
      return making
    },
    async checking() {
      const key = await stored()
      return key ? [key] : []
    },
  }
}

/** @param checking public keys, or private ones for their public half */
export function givenKeys(signing: Jwk, checking: readonly Jwk[]): KeySource {
  return { signing: async () => signing, checking: async () => [...checking] }
}

/** Also accepts tokens that another server signed with these keys. */
export function alsoChecking(source: KeySource, others: readonly Jwk[]): KeySource {
  return {
    signing: () => source.signing(),
    checking: async () => [...(await source.checking()), ...others],
  }
}
