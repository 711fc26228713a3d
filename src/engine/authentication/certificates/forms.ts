/** PEM is specified in RFC 7468. */
import type { SignatureAlgorithm } from '../../core/environment'
import { base64OfBytes } from '../../schema/base64'
import { integer, sequence } from '../service-accounts/der'

/** RFC 4055, section 5; RFC 5758, section 3.2. */
export const SIGNATURE_IDENTIFIER: Partial<Record<SignatureAlgorithm, string>> = {
  RS256: '2a864886f70d01010b',
  ES256: '2a8648ce3d040302',
  ES384: '2a8648ce3d040303',
  ES512: '2a8648ce3d040304',
}

/** From concatenated r and s to the form in certificates. */
export function asSequence(signature: Uint8Array): Uint8Array {
  const half = signature.length / 2
  return sequence(integer(signature.subarray(0, half)), integer(signature.subarray(half)))
}

export function pemOf(label: string, bytes: Uint8Array): string {
  const lines = base64OfBytes([...bytes]).match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
