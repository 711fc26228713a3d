/** The signer normalizes names. Recorded from kube-controller-manager 1.31. */

import { objectIdentifier, sequence, tagged } from '../../authentication/service-accounts/der'
import { addToGroup } from '../../core/lists'
import { textOf } from '../../validation/certificate-request'
import { children, element, objectIdentifier as readIdentifier } from '../../validation/der'

/** In the signer's order; drops unlisted attributes. Only the last `single` value counts. */
const ORDER: readonly { identifier: string; encoded: string; single?: true }[] = [
  { identifier: '2.5.4.6', encoded: '550406' }, // country
  { identifier: '2.5.4.8', encoded: '550408' }, // province
  { identifier: '2.5.4.7', encoded: '550407' }, // locality
  { identifier: '2.5.4.9', encoded: '550409' }, // street address
  { identifier: '2.5.4.17', encoded: '550411' }, // postal code
  { identifier: '2.5.4.10', encoded: '55040a' }, // organization
  { identifier: '2.5.4.11', encoded: '55040b' }, // organizational unit
  { identifier: '2.5.4.3', encoded: '550403', single: true }, // common name
  { identifier: '2.5.4.5', encoded: '550405', single: true }, // serial number
]
const TAG = { printable: 0x13, utf8: 0x0c, set: 0x31 }
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/

/** Encoded names (RFC 5280, section 4.1.2.4). */
export function signedName(subject: Uint8Array): Uint8Array {
  const values = new Map<string, string[]>()
  for (const attribute of children(element(subject, 0)).flatMap(children)) {
    const [type, value] = children(attribute)
    if (type === undefined || value === undefined) continue
    const identifier = readIdentifier(type.content)
    addToGroup(values, identifier, textOf(value))
  }
  const sets = ORDER.flatMap(({ identifier, encoded, single }) => {
    const all = values.get(identifier) ?? []
    const selected = single ? all.slice(-1).filter((value) => value !== '') : all
    const attributes = selected.map((value) => sequence(objectIdentifier(encoded), stringOf(value)))
    return attributes.length > 0 ? [tagged(TAG.set, attributes.sort(byBytes))] : []
  })
  return sequence(sets)
}

const stringOf = (text: string): Uint8Array =>
  tagged(PRINTABLE.test(text) ? TAG.printable : TAG.utf8, new TextEncoder().encode(text))

/** DER sorts set members by bytes (X.690, section 11.6). */
function byBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
