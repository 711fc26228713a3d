/** Whom connections believe. */
import type { SecureContextOptions } from 'node:tls'

type Trust = Pick<SecureContextOptions, 'ca'> & { allowPartialTrustChain: true }

/**
 * What TLS is notified of certificates that are trusted. Each of them is the end of a chain, as it is to kube-apiserver: an authority below
 * another, or the very certificate that the other side shows (webhooks of tests name it as their `caBundle`), need not be its own issuer.
 * @param certificates PEM
 */
export const trusting = (certificates: string | string[]): Trust => ({
  ca: certificates,
  allowPartialTrustChain: true,
})
