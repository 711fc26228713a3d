/** The certificates by which a webhook is known (`caBundle`). */
import { bytesOfBase64 } from '../schema/base64'

/** What is said of certificates that cannot be read. */
export const UNREADABLE_CERTIFICATES = 'unable to load root certificates: unable to parse bytes as PEM block'

/** @param caBundle PEM in base64; none is the system's own certificates @returns the certificates as text, if there is one in them */
export function certificatesIn(caBundle: string): string | undefined {
  const text = new TextDecoder().decode(bytesOfBase64(caBundle))
  return /-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.test(text) ? text : undefined
}

/** Whether certificates are given that cannot be read. */
export const unusableCertificates = (caBundle: string | undefined): boolean =>
  caBundle !== undefined && caBundle !== '' && certificatesIn(caBundle) === undefined
