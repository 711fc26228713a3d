/** Who a certificate request (PKCS #10, RFC 2986) asks to be: the common name and organizations of its subject. */

export interface RequestSubject {
  commonName: string
  organizations: string[]
}

const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'
const PEM = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/

/**
 * @param request base64 of a PEM block, as `spec.request` holds it
 * @throws Error that says what is wrong with it
 */
export function readRequestSubject(request: string): RequestSubject {
  const body = PEM.exec(decodeText(request))?.[1]
  if (body === undefined) throw new Error('PEM block type must be CERTIFICATE REQUEST')
  const bytes = decodeBytes(body.replace(/\s+/g, ''))
  // CertificationRequest { info { version, subject, … }, … }
  const [info] = children(element(bytes, 0))
  const [, subject] = info === undefined ? [] : children(info)
  if (subject === undefined) throw new Error('asn1: structure error: no subject')
  const found: RequestSubject = { commonName: '', organizations: [] }
  for (const set of children(subject)) {
    for (const attribute of children(set)) {
      const [type, value] = children(attribute)
      if (type === undefined || value === undefined) continue
      const text = textOf(value)
      const oid = objectIdentifier(type.content)
      if (oid === COMMON_NAME) found.commonName = text
      if (oid === ORGANIZATION) found.organizations.push(text)
    }
  }
  return found
}

const CERTIFICATE = /-----BEGIN ([^\n]*?)-----([\s\S]*?)-----END \1-----/g

/** Why a text (base64 of PEM) is no chain of certificates; undefined: it is one, as far as its outer form tells. */
export function certificateProblem(certificate: string): string | undefined {
  const blocks = [...decodeText(certificate).matchAll(CERTIFICATE)]
  for (const [, label = '', body = ''] of blocks) {
    if (label !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(label)}`
    if (body.includes(':')) return 'no PEM block headers are permitted'
    try {
      children(element(decodeBytes(body.replace(/\s+/g, '')), 0))
    } catch {
      return 'x509: malformed certificate'
    }
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined
}

/** One DER element: its tag and what is in it (X.690, section 8.1). */
interface Element {
  tag: number
  content: Uint8Array
  /** Where the next one begins. */
  end: number
}

function element(bytes: Uint8Array, at: number): Element {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) throw new Error('asn1: syntax error: truncated tag or length')
  const longForm = first >= 0x80
  const lengthBytes = longForm ? first & 0x7f : 0
  let length = longForm ? 0 : first
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0)
  const start = at + 2 + lengthBytes
  if (start + length > bytes.length) throw new Error('asn1: syntax error: data truncated')
  return { tag, content: bytes.subarray(start, start + length), end: start + length }
}

function children({ content }: Element): Element[] {
  const found: Element[] = []
  for (let at = 0; at < content.length; ) {
    const child = element(content, at)
    found.push(child)
    at = child.end
  }
  return found
}

const BMP_STRING = 0x1e

function textOf({ tag, content }: Element): string {
  if (tag !== BMP_STRING) return new TextDecoder().decode(content)
  let text = ''
  for (let i = 0; i + 1 < content.length; i += 2) text += String.fromCharCode(((content[i] ?? 0) << 8) | (content[i + 1] ?? 0))
  return text
}

/** Base 128 with a continuation bit; the first number holds two arcs (X.690, section 8.19). */
function objectIdentifier(content: Uint8Array): string {
  const numbers: number[] = []
  let number = 0
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    if (numbers.length === 0) numbers.push(Math.min(2, Math.floor(number / 40)), number - 40 * Math.min(2, Math.floor(number / 40)))
    else numbers.push(number)
    number = 0
  }
  return numbers.join('.')
}

const decodeText = (base64: string): string => new TextDecoder().decode(decodeBytes(base64))
const decodeBytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
