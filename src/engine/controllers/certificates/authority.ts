/** Configured, or created and stored on first use (RFC 5280). */

import { asSequence, pemOf, SIGNATURE_IDENTIFIER } from '../../authentication/certificates/forms'
import { readCertificates } from '../../authentication/certificates/x509'
import {
  bitString,
  integer,
  NULL,
  objectIdentifier,
  sequence,
  tagged,
} from '../../authentication/service-accounts/der'
import { publicKeyInfo } from '../../authentication/service-accounts/keys'
import {
  algorithmOf,
  type Jwk,
  type Signatures,
  type SigningAuthority,
} from '../../core/environment'
import { largest } from '../../core/lists'
import { entryOf, type KubeObject } from '../../core/object'
import type { Engine } from '../../registry/engine'
import type { CertificateRequest } from '../../validation/certificate-request'
import { signedName } from './names'

/** Outside API prefixes, so that the API cannot read the key. */
const STORED_AT = '/kubetab/certificate-authority'
const NAME = 'kubernetes'
const YEAR_MILLISECONDS = 365 * 24 * 3600 * 1000
/** Certificates start earlier, because clocks differ. */
const BACKDATED_MILLISECONDS = 5 * 60_000

/** Certificates with a shorter life are not shortened by backdating. */
const SHORT_MILLISECONDS = 8 * 3600_000

/**
 * @returns milliseconds until expiry.
 * https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/
 */
const lastingFor = (milliseconds: number): number =>
  milliseconds < SHORT_MILLISECONDS ? milliseconds : milliseconds - BACKDATED_MILLISECONDS

const TAG = {
  boolean: 0x01,
  octets: 0x04,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  keyId: 0x80,
}
const COMMON_NAME = '550403'
const EXTENSION = {
  keyUsage: '551d0f',
  alternativeNames: '551d11',
  basicConstraints: '551d13',
  authorityKey: '551d23',
  extendedUsage: '551d25',
  subjectKey: '551d0e',
}
/** Bits of key usage, from the left. */
const USAGE_BIT: Record<string, number> = {
  'digital signature': 0,
  'key encipherment': 2,
  'cert sign': 5,
  'crl sign': 6,
}
const EXTENDED_USAGE: Record<string, string> = {
  'server auth': '2b06010505070301',
  'client auth': '2b06010505070302',
}

type StoredAuthority = KubeObject & SigningAuthority

interface Contents {
  issuer: Uint8Array
  subject: Uint8Array
  publicKey: Uint8Array
  notBefore: number
  notAfter: number
  extensions: Uint8Array[]
}

/** @returns undefined if the host cannot sign */
export function authorityOf(engine: Engine): Authority | undefined {
  return engine.signatures && new Authority(engine, engine.signatures)
}

export class Authority {
  constructor(
    private readonly engine: Engine,
    private readonly signatures: Signatures,
  ) {}

  /** @returns PEM */
  async certificate(): Promise<string> {
    return (await this.own()).certificate
  }

  /** @returns PEM */
  async sign(
    request: CertificateRequest,
    usages: readonly string[],
    milliseconds: number,
  ): Promise<string> {
    const { key, certificate } = await this.own()
    const [own] = readCertificates(certificate)
    const issuer = own?.subjectName ?? nameOf(NAME)
    const identifier = own?.keyIdentifier
    const now = this.engine.clock.now()
    const { alternativeNames } = request
    // Usages without a bit are not part of the extension (RFC 5280, section 4.2.1.3).
    const plain = usages.filter((usage) => Object.hasOwn(USAGE_BIT, usage))
    const extended = usages.flatMap((usage) => entryOf(EXTENDED_USAGE, usage) ?? [])
    return this.signed(key, {
      issuer,
      subject: signedName(request.subject),
      publicKey: request.publicKey,
      notBefore: now - BACKDATED_MILLISECONDS,
      notAfter: Math.min(now + lastingFor(milliseconds), own?.notAfter ?? Number.POSITIVE_INFINITY),
      extensions: [
        ...(plain.length > 0 ? [extension(EXTENSION.keyUsage, keyUsage(plain), true)] : []),
        ...(extended.length > 0
          ? [extension(EXTENSION.extendedUsage, sequence(extended.map(objectIdentifier)))]
          : []),
        extension(EXTENSION.basicConstraints, sequence(), true),
        ...(identifier
          ? [extension(EXTENSION.authorityKey, sequence(tagged(TAG.keyId, identifier)))]
          : []),
        ...(alternativeNames
          ? [extension(EXTENSION.alternativeNames, alternativeNames.encoded)]
          : []),
      ],
    })
  }

  private async own(): Promise<SigningAuthority> {
    if (this.engine.signingAuthority) return this.engine.signingAuthority
    const stored = (await this.engine.storage.get(STORED_AT))?.object as StoredAuthority | undefined
    if (stored) return stored
    const { state } = this.engine
    state.generatedAuthority ??= this.make().finally(() => {
      state.generatedAuthority = undefined
    })
    return state.generatedAuthority
  }

  private async make(): Promise<StoredAuthority> {
    const key = await this.signatures.generateKey()
    const now = this.engine.clock.now()
    const certificate = await this.signed(key, {
      issuer: nameOf(NAME),
      subject: nameOf(NAME),
      publicKey: publicKeyInfo(key),
      notBefore: now - BACKDATED_MILLISECONDS,
      notAfter: now + 10 * YEAR_MILLISECONDS,
      extensions: [
        extension(
          EXTENSION.keyUsage,
          keyUsage(['digital signature', 'key encipherment', 'cert sign']),
          true,
        ),
        extension(EXTENSION.basicConstraints, sequence(TRUE), true),
        extension(EXTENSION.subjectKey, tagged(TAG.octets, keyIdentifier(key))),
      ],
    })
    const object: StoredAuthority = {
      kind: 'Authority',
      apiVersion: 'kubetab/v1',
      metadata: { name: NAME, resourceVersion: '0' },
      key,
      certificate,
    }
    const result = await this.engine.storage.transaction(
      [{ key: STORED_AT, revision: 0 }],
      [{ type: 'put', key: STORED_AT, object }],
    )
    const kept = result.succeeded ? result.stored[0] : result.current
    if (kept === undefined) throw new Error('the certificate authority vanished while it was made')
    return kept.object as StoredAuthority
  }

  private async signed(
    key: Jwk,
    { issuer, subject, publicKey, notBefore, notAfter, extensions }: Contents,
  ): Promise<string> {
    const algorithm = sequence(
      objectIdentifier(SIGNATURE_IDENTIFIER[algorithmOf(key)] ?? ''),
      key.kty === 'RSA' ? [NULL] : [],
    )
    const serial = this.engine.random.bytes(new Uint8Array(16))
    const body = sequence(
      tagged(TAG.version, integer(new Uint8Array([2]))),
      integer(serial),
      algorithm,
      issuer,
      sequence(time(notBefore), time(notAfter)),
      subject,
      publicKey,
      tagged(TAG.extensions, sequence(extensions)),
    )
    const signature = await this.signatures.sign(key, body)
    return pemOf(
      'CERTIFICATE',
      sequence(body, algorithm, bitString(key.kty === 'RSA' ? signature : asSequence(signature))),
    )
  }
}

const TRUE = tagged(TAG.boolean, new Uint8Array([0xff]))

const extension = (identifier: string, value: Uint8Array, critical = false): Uint8Array =>
  sequence(objectIdentifier(identifier), critical ? [TRUE] : [], tagged(TAG.octets, value))

const nameOf = (commonName: string): Uint8Array =>
  sequence(
    tagged(
      TAG.set,
      sequence(
        objectIdentifier(COMMON_NAME),
        tagged(TAG.utf8, new TextEncoder().encode(commonName)),
      ),
    ),
  )

/** 20 bytes of the public key. */
const keyIdentifier = (key: Jwk): Uint8Array => publicKeyInfo(key).slice(-25, -5)

function keyUsage(usages: readonly string[]): Uint8Array {
  const bits = usages.flatMap((usage) => entryOf(USAGE_BIT, usage) ?? [])
  const byte = bits.reduce((sum, bit) => sum | (0x80 >> bit), 0)
  const unused = 7 - largest(bits)
  return tagged(0x03, new Uint8Array([unused, byte]))
}

/** UTCTime before 2050 (RFC 5280, section 4.1.2.5). */
function time(milliseconds: number): Uint8Array {
  const digits = new Date(milliseconds)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '')
  const long = Number(digits.slice(0, 4)) >= 2050
  return tagged(
    long ? TAG.generalizedTime : TAG.utcTime,
    new TextEncoder().encode(long ? digits : digits.slice(2)),
  )
}
