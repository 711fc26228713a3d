/** Trust anchors of outbound TLS connections. */
import type { SecureContextOptions } from 'node:tls'

type Trust = Pick<SecureContextOptions, 'ca'> & { allowPartialTrustChain: true }

/**
 * Every certificate is a trust anchor, as in kube-apiserver: an intermediate CA or the server's
 * own, as in the `caBundle` of test webhooks.
 * @param certificates PEM
 */
export const trusting = (certificates: string | string[]): Trust => ({
  ca: certificates,
  allowPartialTrustChain: true,
})
