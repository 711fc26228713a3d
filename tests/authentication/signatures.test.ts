/** Signatures of every algorithm, checked against other implementations and RFC examples. */
import { constants, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseJwt } from '../../src/engine/authentication/service-accounts/jwt'
import { keyId } from '../../src/engine/authentication/service-accounts/keys'
import {
  fitsAlgorithm,
  type Jwk,
  SIGNATURE_ALGORITHMS,
  type SignatureAlgorithm,
} from '../../src/engine/core/environment'
import { base64Url, bytesOfBase64Url } from '../../src/engine/schema/base64'
import { jwkOf } from '../../src/hosts/node/keys'
import { nodeSignatures } from '../../src/hosts/node/signatures'
import { webSignatures } from '../../src/hosts/shared/web-signatures'

const HOSTS = [
  ['Node', nodeSignatures],
  ['the Web Cryptography API', webSignatures],
] as const
const message = new TextEncoder().encode('what is signed')

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
const KEYS: Record<string, KeyObject> = {
  RS: rsa,
  PS: rsa,
  ES256: curve('P-256'),
  ES384: curve('P-384'),
  ES512: curve('P-521'),
}
const keyOf = (algorithm: SignatureAlgorithm) =>
  KEYS[algorithm] ?? KEYS[algorithm.slice(0, 2)] ?? rsa

function signedBy(algorithm: SignatureAlgorithm): Uint8Array {
  const pss = {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  }
  const key = {
    key: keyOf(algorithm),
    dsaEncoding: 'ieee-p1363' as const,
    ...(algorithm.startsWith('PS') ? pss : {}),
  }
  return sign(`sha${algorithm.slice(2)}`, message, key)
}

describe.each(HOSTS)('%s', (_, signatures) => {
  it.each(SIGNATURE_ALGORITHMS)('verifies %s', async (algorithm) => {
    const key = jwkOf(keyOf(algorithm))
    const signature = signedBy(algorithm)
    expect(fitsAlgorithm(key, algorithm)).toBe(true)
    expect(await signatures.verify(key, signature, message, algorithm)).toBe(true)
    expect(await signatures.verify(key, signature, new Uint8Array([1]), algorithm)).toBe(false)
    const other = algorithm.startsWith('PS')
      ? algorithm.replace('PS', 'RS')
      : algorithm.replace('RS', 'PS')
    if (other !== algorithm)
      expect(await signatures.verify(key, signature, message, other as SignatureAlgorithm)).toBe(
        false,
      )
  })

  it('verifies its own signature', async () => {
    for (const one of [
      rsa,
      KEYS.ES256 as KeyObject,
      KEYS.ES384 as KeyObject,
      KEYS.ES512 as KeyObject,
    ]) {
      const key = jwkOf(createPrivateKey(one.export({ type: 'pkcs8', format: 'pem' })))
      expect(await signatures.verify(key, await signatures.sign(key, message), message)).toBe(true)
    }
  })

  it.each([
    [
      'A.2 (RS256)',
      {
        kty: 'RSA',
        n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
        e: 'AQAB',
      },
      'RS256',
      'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw',
    ],
    [
      'A.3 (ES256)',
      {
        kty: 'EC',
        crv: 'P-256',
        x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
        y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      },
      'ES256',
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q',
    ],
  ] as [string, Jwk, SignatureAlgorithm, string][])(
    'verifies the example of RFC 7515, %s',
    async (_, key, algorithm, token) => {
      const jwt = parseJwt(token)
      if (jwt === undefined) expect.unreachable('it is a token')
      expect(jwt.header).toEqual({ alg: algorithm })
      expect(jwt.claims).toEqual({
        iss: 'joe',
        exp: 1300819380,
        'http://example.com/is_root': true,
      })
      expect(await signatures.verify(key, jwt.signature, jwt.signed, algorithm)).toBe(true)
      const [first = 0, ...rest] = jwt.signature
      expect(
        await signatures.verify(key, new Uint8Array([first ^ 1, ...rest]), jwt.signed, algorithm),
      ).toBe(false)
    },
  )
})

describe('a key and an algorithm', () => {
  it('match by type and curve', () => {
    expect(fitsAlgorithm(jwkOf(rsa), 'ES256')).toBe(false)
    expect(fitsAlgorithm(jwkOf(KEYS.ES256 as KeyObject), 'ES384')).toBe(false)
    expect(fitsAlgorithm(jwkOf(KEYS.ES256 as KeyObject), 'RS256')).toBe(false)
    for (const odd of ['none', 'HS256', 'EdDSA', ''])
      expect(fitsAlgorithm(jwkOf(rsa), odd)).toBe(false)
  })

  it('derives the key ID from the public key alone', () => {
    const { d: _, ...open } = jwkOf(KEYS.ES256 as KeyObject)
    expect(keyId(open as Jwk)).toBe(keyId(jwkOf(KEYS.ES256 as KeyObject)))
  })
})

describe('base64url (RFC 7515, appendix C; RFC 4648, section 10)', () => {
  it('has no padding and its own alphabet', () => {
    expect(base64Url(new Uint8Array([3, 236, 255, 224, 193]))).toBe('A-z_4ME')
    expect([...(bytesOfBase64Url('A-z_4ME') ?? [])]).toEqual([3, 236, 255, 224, 193])
    const examples = {
      '': '',
      f: 'Zg',
      fo: 'Zm8',
      foo: 'Zm9v',
      foob: 'Zm9vYg',
      fooba: 'Zm9vYmE',
      foobar: 'Zm9vYmFy',
    }
    for (const [text, encoded] of Object.entries(examples))
      expect(base64Url(new TextEncoder().encode(text))).toBe(encoded)
  })
})
