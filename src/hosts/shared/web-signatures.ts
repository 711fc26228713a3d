/** Web Cryptography, in secure contexts and Node.js. */
import {
  algorithmOf,
  type Jwk,
  type SignatureAlgorithm,
  type Signatures,
} from '../../engine/core/environment'

const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
/** 2048 bits with exponent 65537 (RFC 8017). */
const RSA_2048 = { ...RSA, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }

/** The salt is as long as the hash (RFC 7518, section 3.5). */
function platformAlgorithm(key: Jwk, algorithm: SignatureAlgorithm) {
  const bits = Number(algorithm.slice(2))
  const hash = `SHA-${bits}`
  if (key.kty === 'EC') return { name: 'ECDSA', namedCurve: key.crv, hash }
  return algorithm.startsWith('PS')
    ? { name: 'RSA-PSS', hash, saltLength: bits / 8 }
    : { name: RSA.name, hash }
}

const prepared: Record<
  'sign' | 'verify',
  WeakMap<Jwk, Map<SignatureAlgorithm, Promise<CryptoKey>>>
> = {
  sign: new WeakMap(),
  verify: new WeakMap(),
}

function keyFor(
  use: 'sign' | 'verify',
  key: Jwk,
  algorithm: SignatureAlgorithm,
): Promise<CryptoKey> {
  const ofKey = prepared[use].get(key) ?? new Map<SignatureAlgorithm, Promise<CryptoKey>>()
  prepared[use].set(key, ofKey)
  const known = ofKey.get(algorithm)
  if (known) return known
  const half = use === 'sign' ? { ...key } : publicHalf(key)
  const imported = crypto.subtle.importKey('jwk', half, platformAlgorithm(key, algorithm), false, [
    use,
  ])
  ofKey.set(algorithm, imported)
  return imported
}

function publicHalf(key: Jwk): JsonWebKey {
  return key.kty === 'RSA'
    ? { kty: 'RSA', n: key.n, e: key.e }
    : { kty: 'EC', crv: key.crv, x: key.x, y: key.y }
}

/** Narrows the buffer's type for the Web Cryptography API. */
const plain = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>

export const webSignatures: Signatures = {
  async generateKey() {
    const { privateKey } = await crypto.subtle.generateKey(RSA_2048, true, ['sign', 'verify'])
    const {
      n = '',
      e = '',
      d = '',
      p = '',
      q = '',
      dp = '',
      dq = '',
      qi = '',
    } = await crypto.subtle.exportKey('jwk', privateKey)
    return { kty: 'RSA', n, e, d, p, q, dp, dq, qi }
  },
  async sign(key, message) {
    const algorithm = algorithmOf(key)
    return new Uint8Array(
      await crypto.subtle.sign(
        platformAlgorithm(key, algorithm),
        await keyFor('sign', key, algorithm),
        plain(message),
      ),
    )
  },
  async verify(key, signature, message, algorithm = algorithmOf(key)) {
    const imported = await keyFor('verify', key, algorithm)
    return crypto.subtle.verify(
      platformAlgorithm(key, algorithm),
      imported,
      plain(signature),
      plain(message),
    )
  },
}
