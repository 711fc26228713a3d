/** Signatures by Node's own cryptography: at once where the Web Cryptography API would go through another thread. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { Jwk, Signatures } from '../../engine/environment'
import { jwkOf } from './keys'

const generate = promisify(generateKeyPair)
const CURVE_HASH = { 'P-256': 'sha256', 'P-384': 'sha384', 'P-521': 'sha512' } as const

const hashOf = (key: Jwk) => (key.kty === 'RSA' ? 'sha256' : CURVE_HASH[key.crv])

/** Each key is prepared once for each use. */
const prepared = { sign: new WeakMap<Jwk, KeyObject>(), verify: new WeakMap<Jwk, KeyObject>() }

/** ECDSA as r and s side by side, as JWS has it; RSA knows no such choice. */
function keyFor(use: 'sign' | 'verify', key: Jwk): { key: KeyObject; dsaEncoding: 'ieee-p1363' } {
  const known = prepared[use].get(key)
  const made = known ?? (use === 'sign' ? createPrivateKey : createPublicKey)({ key: { ...key }, format: 'jwk' })
  if (known === undefined) prepared[use].set(key, made)
  return { key: made, dsaEncoding: 'ieee-p1363' }
}

export const nodeSignatures: Signatures = {
  async generateKey() {
    return jwkOf((await generate('rsa', { modulusLength: 2048 })).privateKey)
  },
  sign: async (key, message) => sign(hashOf(key), message, keyFor('sign', key)),
  verify: async (key, signature, message) => verify(hashOf(key), message, keyFor('verify', key), signature),
}
