/** Synchronous signatures; the Web Cryptography API would use another thread. */
import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { promisify } from 'node:util'
import {
  algorithmOf,
  type Jwk,
  type SignatureAlgorithm,
  type Signatures,
} from '../../engine/core/environment'
import { jwkOf } from './keys'

const generate = promisify(generateKeyPair)

/** `RS384` → `sha384` */
const hashOf = (algorithm: SignatureAlgorithm): string => `sha${algorithm.slice(2)}`

/** The salt is as long as the hash (RFC 7518, section 3.5). */
const PSS = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
}

/** Imported keys by use. */
const prepared = { sign: new WeakMap<Jwk, KeyObject>(), verify: new WeakMap<Jwk, KeyObject>() }

/** JWS encodes ECDSA signatures as r and s (RFC 7518, section 3.4); RSA ignores the option. */
function keyFor(use: 'sign' | 'verify', key: Jwk): { key: KeyObject; dsaEncoding: 'ieee-p1363' } {
  const known = prepared[use].get(key)
  const made =
    known ??
    (use === 'sign' ? createPrivateKey : createPublicKey)({ key: { ...key }, format: 'jwk' })
  if (known === undefined) prepared[use].set(key, made)
  return { key: made, dsaEncoding: 'ieee-p1363' }
}

export const nodeSignatures: Signatures = {
  async generateKey() {
    return jwkOf((await generate('rsa', { modulusLength: 2048 })).privateKey)
  },
  sign: async (key, message) => sign(hashOf(algorithmOf(key)), message, keyFor('sign', key)),
  verify: async (key, signature, message, algorithm = algorithmOf(key)) =>
    verify(
      hashOf(algorithm),
      message,
      { ...keyFor('verify', key), ...(algorithm.startsWith('PS') ? PSS : {}) },
      signature,
    ),
}
