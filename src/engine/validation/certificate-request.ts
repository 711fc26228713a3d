/** PKCS #10, RFC 2986. */
import { children, decodeBytes, type Element, element, objectIdentifier } from './der'

export interface RequestSubject {
  commonName: string
  organizations: string[]
}

const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'
const PEM = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/

export interface CertificateRequest extends RequestSubject {
  subject: Uint8Array
  publicKey: Uint8Array
  /** RFC 5280, section 4.2.1.6; with the number of each type. */
  alternativeNames:
    | { encoded: Uint8Array; emails: number; dns: number; uris: number; addresses: number }
    | undefined
}

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'
const ALTERNATIVE_NAMES = '2.5.29.17'
/** Context tags. */
const NAME_FORM = { email: 0x81, dns: 0x82, uri: 0x86, address: 0x87 }

/**
 * @param request base64 of a PEM block, as in `spec.request`
 * @throws Error with the reason
 */
export function readCertificateRequest(request: string): CertificateRequest {
  const [, subject, publicKey, attributes] = children(infoOf(request))
  if (subject === undefined || publicKey === undefined)
    throw new Error('asn1: structure error: no public key')
  return {
    ...readRequestSubject(request),
    subject: subject.raw,
    publicKey: publicKey.raw,
    alternativeNames: namesIn(attributes),
  }
}

function namesIn(attributes: Element | undefined): CertificateRequest['alternativeNames'] {
  for (const attribute of attributes ? children(attributes) : []) {
    const [type, values] = children(attribute)
    if (
      type === undefined ||
      values === undefined ||
      objectIdentifier(type.content) !== EXTENSION_REQUEST
    )
      continue
    for (const extension of children(values).flatMap(children)) {
      const [identifier, ...rest] = children(extension)
      const value = rest.at(-1)
      if (
        identifier === undefined ||
        value === undefined ||
        objectIdentifier(identifier.content) !== ALTERNATIVE_NAMES
      )
        continue
      const names = children(element(value.content, 0))
      const count = (form: number) => names.filter(({ tag }) => tag === form).length
      const { email, dns, uri, address } = NAME_FORM
      return {
        encoded: value.content,
        emails: count(email),
        dns: count(dns),
        uris: count(uri),
        addresses: count(address),
      }
    }
  }
  return undefined
}

/**
 * @param request as for `readCertificateRequest`
 * @throws Error with the reason
 */
export function readRequestSubject(request: string): RequestSubject {
  const [, subject] = children(infoOf(request))
  if (subject === undefined) throw new Error('asn1: structure error: no subject')
  return subjectOf(subject)
}

export function subjectOf(subject: Element): RequestSubject {
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

/** Version, subject, public key, attributes. @throws Error */
function infoOf(request: string): Element {
  const body = PEM.exec(decodeText(request))?.[1]
  if (body === undefined) throw new Error('PEM block type must be CERTIFICATE REQUEST')
  const bytes = decodeBytes(body.replace(/\s+/g, ''))
  const [info] = children(element(bytes, 0))
  if (info === undefined) throw new Error('asn1: structure error: no subject')
  return info
}

const CERTIFICATE = /-----BEGIN ([^\n]*?)-----([\s\S]*?)-----END \1-----/g

/**
 * @param certificate base64 of PEM
 * @returns undefined for a certificate chain, of which only the outer structure is checked
 */
export function certificateProblem(certificate: string): string | undefined {
  const blocks = [...decodeText(certificate).matchAll(CERTIFICATE)]
  for (const [, label = '', body = ''] of blocks) {
    if (label !== 'CERTIFICATE')
      return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(label)}`
    if (body.includes(':')) return 'no PEM block headers are permitted'
    if (body.trim() === '') return 'found CERTIFICATE PEM block containing 0 certificates'
    try {
      children(element(decodeBytes(body.replace(/\s+/g, '')), 0))
    } catch {
      return 'x509: malformed certificate'
    }
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined
}

const BMP_STRING = 0x1e

export function textOf({ tag, content }: Element): string {
  if (tag !== BMP_STRING) return new TextDecoder().decode(content)
  let text = ''
  for (let i = 0; i + 1 < content.length; i += 2)
    text += String.fromCharCode(((content[i] ?? 0) << 8) | (content[i + 1] ?? 0))
  return text
}

const decodeText = (base64: string): string => new TextDecoder().decode(decodeBytes(base64))
