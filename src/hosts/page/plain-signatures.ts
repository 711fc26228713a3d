/**
 * ES256 without Web Cryptography, which is absent over plain HTTP. Only this algorithm: its keys
 * are generated quickly.
 */
import { p256 } from '@noble/curves/nist.js'
import type { Jwk, Signatures } from '../../engine/core/environment'

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
      throw new Error('this page only supports P-256 keys')
    return p256.sign(message, decode(key.d))
  },
  async verify(key, signature, message) {
    if (!isOfCurve(key)) return false
    const point = new Uint8Array([0x04, ...decode(key.x), ...decode(key.y)])
    // Accepts either value of s, as other implementations do.
    return signature.length === 2 * SIZE && p256.verify(signature, message, point, { lowS: false })
  },
}

const isOfCurve = (key: Jwk): key is Extract<Jwk, { kty: 'EC' }> =>
  key.kty === 'EC' && key.crv === 'P-256'

const encode = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const decode = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )
