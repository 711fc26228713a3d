/** Reads the structure of X.509 certificates. RFC 5280, section 4.1. */

import type { Jwk, SignatureAlgorithm } from '../../core/environment'
import { entryOf } from '../../core/object'
import { base64Url } from '../../schema/base64'
import { type RequestSubject, subjectOf } from '../../validation/certificate-request'
import {
  children,
  decodeBytes,
  type Element,
  element,
  objectIdentifier,
} from '../../validation/der'

export interface Certificate {
  subject: RequestSubject
  /** Encoded; issuers are found by comparing names. */
  subjectName: Uint8Array
  issuerName: Uint8Array
  /** Milliseconds since the epoch. */
  notBefore: number
  notAfter: number
  /** undefined for an unsupported kind of key. */
  publicKey: Jwk | undefined
  keyIdentifier: Uint8Array | undefined
  isAuthority: boolean
  /** Object identifiers; undefined: unrestricted. */
  usages: string[] | undefined
  /** JWS form (RFC 7518, section 3.4). */
  signed: Uint8Array
  algorithm: SignatureAlgorithm | undefined
  signature: Uint8Array
}

const BLOCK = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/g
const MALFORMED = 'x509: malformed certificate'

const TAG = { sequence: 0x30, utcTime: 0x17, extensions: 0xa3, version: 0xa0, true: 0xff }
const RSA_KEY = '1.2.840.113549.1.1.1'
const CURVE_KEY = '1.2.840.10045.2.1'
const CURVES = {
  '1.2.840.10045.3.1.7': { crv: 'P-256', bytes: 32 },
  '1.3.132.0.34': { crv: 'P-384', bytes: 48 },
  '1.3.132.0.35': { crv: 'P-521', bytes: 66 },
} as const
/** RFC 4055, section 5, and RFC 5758, section 3.2. */
const ALGORITHMS: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.113549.1.1.11': 'RS256',
  '1.2.840.113549.1.1.12': 'RS384',
  '1.2.840.113549.1.1.13': 'RS512',
  '1.2.840.10045.4.3.2': 'ES256',
  '1.2.840.10045.4.3.3': 'ES384',
  '1.2.840.10045.4.3.4': 'ES512',
}
const COORDINATE_BYTES: Partial<Record<SignatureAlgorithm, number>> = {
  ES256: 32,
  ES384: 48,
  ES512: 66,
}
const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_IDENTIFIER = '2.5.29.14'
const EXTENDED_USAGE = '2.5.29.37'

/** @throws Error for a text without certificates, or with a malformed one */
export function readCertificates(pem: string): Certificate[] {
  const blocks = [...pem.matchAll(BLOCK)]
  if (blocks.length === 0)
    throw new Error('data does not contain any valid RSA or ECDSA certificates')
  return blocks.map(([, body = '']) => {
    try {
      return readCertificate(decodeBytes(body.replace(/\s+/g, '')))
    } catch {
      throw new Error(MALFORMED)
    }
  })
}

function readCertificate(bytes: Uint8Array): Certificate {
  const whole = element(bytes, 0)
  if (whole.tag !== TAG.sequence) throw new Error(MALFORMED)
  const [body, how, signature] = children(whole).map(present)
  const members = children(present(body)).filter(({ tag }) => tag !== TAG.version)
  const [, , issuer, validity, subject, publicKey] = members
  const [notBefore, notAfter] = children(present(validity)).map(timeOf)
  const extensions = extensionsIn(members)
  const algorithm = entryOf(ALGORITHMS, identifierIn(present(how)))
  const usages = extensions.get(EXTENDED_USAGE)
  return {
    subject: subjectOf(present(subject)),
    subjectName: present(subject).raw,
    issuerName: present(issuer).raw,
    notBefore: notBefore ?? Number.NaN,
    notAfter: notAfter ?? Number.NaN,
    publicKey: keyIn(present(publicKey)),
    keyIdentifier: extensions.get(KEY_IDENTIFIER)?.content,
    isAuthority: isAuthority(extensions.get(BASIC_CONSTRAINTS)),
    usages: usages && children(usages).map(({ content }) => objectIdentifier(content)),
    signed: present(body).raw,
    algorithm,
    signature: inFormOfJws(bitsOf(present(signature)), algorithm),
  }
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error(MALFORMED)
  return value
}

const bitsOf = ({ content }: Element): Uint8Array => content.subarray(1)

const identifierIn = (sequence: Element): string =>
  objectIdentifier(present(children(sequence)[0]).content)

/** `YYMMDDhhmmssZ` (1950 to 2049), `YYYYMMDDhhmmssZ` */
function timeOf({ tag, content }: Element): number {
  const digits = new TextDecoder().decode(content)
  const text = tag === TAG.utcTime ? (digits < '50' ? '20' : '19') + digits : digits
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** By identifier. */
function extensionsIn(members: readonly Element[]): Map<string, Element> {
  const holder = members.find(({ tag }) => tag === TAG.extensions)
  const [list] = holder ? children(holder) : []
  return new Map(
    (list ? children(list) : []).map((extension) => {
      const value = present(children(extension).at(-1))
      return [identifierIn(extension), element(value.content, 0)]
    }),
  )
}

function isAuthority(constraints: Element | undefined): boolean {
  const [flag] = constraints ? children(constraints) : []
  return flag?.content[0] === TAG.true
}

function keyIn(info: Element): Jwk | undefined {
  const [algorithm, key] = children(info)
  const [kind, parameters] = children(present(algorithm)).map(({ content }) => content)
  const bits = bitsOf(present(key))
  const identifier = objectIdentifier(present(kind))
  if (identifier === RSA_KEY) {
    const [n, e] = children(element(bits, 0)).map(({ content }) => base64Url(withoutZeros(content)))
    return { kty: 'RSA', n: present(n), e: present(e) }
  }
  const curve =
    identifier === CURVE_KEY
      ? CURVES[objectIdentifier(present(parameters)) as keyof typeof CURVES]
      : undefined
  if (curve === undefined) return undefined
  const { crv, bytes } = curve
  return {
    kty: 'EC',
    crv,
    x: base64Url(bits.subarray(1, 1 + bytes)),
    y: base64Url(bits.subarray(1 + bytes, 1 + 2 * bytes)),
  }
}

/** DER adds a zero to numbers that would be negative without it. */
function withoutZeros(number: Uint8Array): Uint8Array {
  const first = number.findIndex((byte) => byte !== 0)
  return number.subarray(first < 0 ? number.length - 1 : first)
}

/** DER has a sequence of r and s, JWS their concatenation. */
function inFormOfJws(signature: Uint8Array, algorithm: SignatureAlgorithm | undefined): Uint8Array {
  const size = algorithm && COORDINATE_BYTES[algorithm]
  if (size === undefined) return signature
  const sides = new Uint8Array(2 * size)
  children(element(signature, 0)).forEach(({ content }, i) => {
    const number = withoutZeros(content)
    sides.set(number, (i + 1) * size - number.length)
  })
  return sides
}
