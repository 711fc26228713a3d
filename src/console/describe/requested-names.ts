/**
 * Names in a certificate signing request: subject and alternative names (RFC 2986; RFC 5280,
 * section 4.2.1.6).
 */
import { entryOf, setMember } from '../../engine/core/object'
import { readCertificateRequest } from '../../engine/validation/certificate-request'
import { children, element, objectIdentifier } from '../../engine/validation/der'

/** In the order in which `kubectl describe` prints them. */
const SUBJECT: [title: string, identifier: string][] = [
  ['Common Name', '2.5.4.3'],
  ['Serial Number', '2.5.4.5'],
  ['Organization', '2.5.4.10'],
  ['Organizational Unit', '2.5.4.11'],
  ['Country', '2.5.4.6'],
  ['Locality', '2.5.4.7'],
  ['Province', '2.5.4.8'],
  ['StreetAddress', '2.5.4.9'],
  ['PostalCode', '2.5.4.17'],
]
const ALTERNATIVE: [title: string, form: number][] = [
  ['DNS Names', 0x82],
  ['Email Addresses', 0x81],
  ['URIs', 0x86],
  ['IP Addresses', 0x87],
]
const ADDRESS = 0x87

type Titled = [title: string, values: string[]][]

/** Values by title; subject titles that are always printed may have none. */
export interface RequestedNames {
  subject: Titled
  alternative: Titled
}

/** @param request base64 of PEM @throws Error if it is invalid */
export function requestedNames(request: string): RequestedNames {
  const { subject, alternativeNames } = readCertificateRequest(request)
  const found: Record<string, string[]> = {}
  for (const attribute of children(element(subject, 0)).flatMap(children)) {
    const [type, value] = children(attribute)
    if (type === undefined || value === undefined) continue
    const identifier = objectIdentifier(type.content)
    setMember(found, identifier, [
      ...(entryOf(found, identifier) ?? []),
      new TextDecoder().decode(value.content),
    ])
  }
  const others =
    alternativeNames === undefined ? [] : children(element(alternativeNames.encoded, 0))
  return {
    subject: SUBJECT.map(([title, identifier]): Titled[number] => [
      title,
      entryOf(found, identifier) ?? [],
    ]).filter(
      ([title, values]) =>
        values.length > 0 || title === 'Common Name' || title === 'Serial Number',
    ),
    alternative: ALTERNATIVE.map(([title, form]): Titled[number] => [
      title,
      others
        .filter(({ tag }) => tag === form)
        .map(({ tag, content }) =>
          tag === ADDRESS ? addressOf(content) : new TextDecoder().decode(content),
        ),
    ]).filter(([, values]) => values.length > 0),
  }
}

const addressOf = (bytes: Uint8Array): string =>
  bytes.length === 4
    ? bytes.join('.')
    : Array.from({ length: bytes.length / 2 }, (_, i) =>
        (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
      ).join(':')
