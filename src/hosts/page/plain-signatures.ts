/**
 * Signatures without the platform's help: over plain HTTP a page has no Web Cryptography API. ECDSA over P-256 alone (ES256), whose
 * keys are made at once; kube-apiserver takes such keys too.
 */
import { p256 } from '@noble/curves/nist.js'
import type { Jwk, Signatures } from '../../engine/environment'

/** Bytes of a coordinate. */
const SIZE = 32

export const plainSignatures: Signatures = {
  async generateKey() {
    const { secretKey } = p256.keygen()
    const point = p256.getPublicKey(secretKey, false)
    const [x, y] = [point.subarray(1, 1 + SIZE), point.subarray(1 + SIZE)].map(encode) as [
      string,
      string,
    ]
    return { kty: 'EC', crv: 'P-256', x, y, d: encode(secretKey) }
  },
  async sign(key, message) {
    if (!isOfCurve(key) || key.d === undefined)
      throw new Error('this page signs with P-256 keys alone')
    return p256.sign(message, decode(key.d))
  },
  async verify(key, signature, message) {
    if (!isOfCurve(key)) return false
    const point = new Uint8Array([0x04, ...decode(key.x), ...decode(key.y)])
    // Both halves of the signature's mirror are good, as they are to other implementations.
    return signature.length === 2 * SIZE && p256.verify(signature, message, point, { lowS: false })
  },
}

const isOfCurve = (key: Jwk): key is Extract<Jwk, { kty: 'EC' }> =>
  key.kty === 'EC' && key.crv === 'P-256'

const encode = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const decode = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )
