/** Who a certificate request (PKCS #10, RFC 2986) asks to be: the common name and organizations of its subject. */
import { children, decodeBytes, type Element, element, objectIdentifier } from './der'

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

const BMP_STRING = 0x1e

function textOf({ tag, content }: Element): string {
  if (tag !== BMP_STRING) return new TextDecoder().decode(content)
  let text = ''
  for (let i = 0; i + 1 < content.length; i += 2) text += String.fromCharCode(((content[i] ?? 0) << 8) | (content[i + 1] ?? 0))
  return text
}

const decodeText = (base64: string): string => new TextDecoder().decode(decodeBytes(base64))
