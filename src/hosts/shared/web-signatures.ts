/** Signatures by the platform's own cryptography (Web Cryptography API): browsers have it in secure contexts, Node always. */
import type { Jwk, Signatures } from '../../engine/environment'

const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const CURVE_HASH = { 'P-256': 'SHA-256', 'P-384': 'SHA-384', 'P-521': 'SHA-512' } as const
/** What the real server's tools make (RFC 8017; 65537). */
const RSA_2048 = { ...RSA, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }

const algorithmOf = (key: Jwk) => (key.kty === 'RSA' ? RSA : { name: 'ECDSA', namedCurve: key.crv, hash: CURVE_HASH[key.crv] })

/** Each key is prepared once for each use. */
const prepared: Record<'sign' | 'verify', WeakMap<Jwk, Promise<CryptoKey>>> = { sign: new WeakMap(), verify: new WeakMap() }

function keyFor(use: 'sign' | 'verify', key: Jwk): Promise<CryptoKey> {
  const known = prepared[use].get(key)
  if (known) return known
  const imported = crypto.subtle.importKey('jwk', use === 'sign' ? { ...key } : publicHalf(key), algorithmOf(key), false, [use])
  prepared[use].set(key, imported)
  return imported
}

function publicHalf(key: Jwk): JsonWebKey {
  return key.kty === 'RSA' ? { kty: 'RSA', n: key.n, e: key.e } : { kty: 'EC', crv: key.crv, x: key.x, y: key.y }
}

/** The bytes in a buffer of their own kind, as the platform wants them. */
const plain = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>

export const webSignatures: Signatures = {
  async generateKey() {
    const { privateKey } = await crypto.subtle.generateKey(RSA_2048, true, ['sign', 'verify'])
    const { n = '', e = '', d = '', p = '', q = '', dp = '', dq = '', qi = '' } = await crypto.subtle.exportKey('jwk', privateKey)
    return { kty: 'RSA', n, e, d, p, q, dp, dq, qi }
  },
  async sign(key, message) {
    return new Uint8Array(await crypto.subtle.sign(algorithmOf(key), await keyFor('sign', key), plain(message)))
  },
  async verify(key, signature, message) {
    return crypto.subtle.verify(algorithmOf(key), await keyFor('verify', key), plain(signature), plain(message))
  },
}
