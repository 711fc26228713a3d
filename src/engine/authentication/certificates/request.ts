/** PKCS #10 (RFC 2986), for the CertificateSigningRequest API. */
import { algorithmOf, type Jwk, type Signatures } from '../../core/environment'
import type { RequestSubject } from '../../validation/certificate-request'
import {
  bitString,
  integer,
  NULL,
  objectIdentifier,
  sequence,
  tagged,
} from '../service-accounts/der'
import { publicKeyInfo } from '../service-accounts/keys'
import { asSequence, pemOf, SIGNATURE_IDENTIFIER } from './forms'

const TAG = { set: 0x31, utf8: 0x0c, attributes: 0xa0 }
const COMMON_NAME = '550403'
const ORGANIZATION = '55040a'

/** `request` is PEM. */
export async function newCertificateRequest(
  { commonName, organizations }: RequestSubject,
  signatures: Signatures,
): Promise<{ request: string; key: Jwk }> {
  const key = await signatures.generateKey()
  const name = sequence(
    organizations.map((one) => part(ORGANIZATION, one)),
    part(COMMON_NAME, commonName),
  )
  const info = sequence(
    integer(new Uint8Array([0])),
    name,
    publicKeyInfo(key),
    tagged(TAG.attributes),
  )
  const identifier = objectIdentifier(SIGNATURE_IDENTIFIER[algorithmOf(key)] ?? '')
  const algorithm = sequence(identifier, key.kty === 'RSA' ? [NULL] : [])
  const signature = await signatures.sign(key, info)
  const signed = sequence(
    info,
    algorithm,
    bitString(key.kty === 'RSA' ? signature : asSequence(signature)),
  )
  return { request: pemOf('CERTIFICATE REQUEST', signed), key }
}

const part = (identifier: string, text: string): Uint8Array =>
  tagged(
    TAG.set,
    sequence(objectIdentifier(identifier), tagged(TAG.utf8, new TextEncoder().encode(text))),
  )
