/** Trust anchors of outbound TLS connections. */
import type { SecureContextOptions } from 'node:tls'

type Trust = Pick<SecureContextOptions, 'ca'> & { allowPartialTrustChain: true }

/**
 * Returns the TLS options that trust the given certificates.
 * Every certificate is a trust anchor, as in kube-apiserver: an intermediate CA or the server's own
 * certificate may be one. Webhooks in tests use such certificates as their `caBundle`.
 * @param certificates PEM
 */
export const trusting = (certificates: string | string[]): Trust => ({
  ca: certificates,
  allowPartialTrustChain: true,
})
