/** `--client-ca-file` (kubernetes.io, "Authenticating", "X.509 client certificates"). */
import type { Clock } from '../core/environment'
import type { Authenticator } from './authenticator'

export interface CertificateMetrics {
  /** @param seconds of remaining validity */
  certificateLifetime(seconds: number): void
}

/** The common name is the user, each organization a group. */
export const clientCertificates = (clock: Clock, metrics: CertificateMetrics): Authenticator => ({
  authenticate(request, { audiences }) {
    const certificate = request.clientCertificate?.()
    if (certificate === undefined) return undefined
    if (!certificate.authorities.includes('clients'))
      return {
        errors: [
          `verifying certificate failed: ${certificate.problem ?? 'x509: certificate signed by unknown authority'}`,
        ],
      }
    const { commonName: name, organizations, notAfter } = certificate
    if (notAfter !== undefined)
      metrics.certificateLifetime(Math.max(0, (notAfter - clock.now()) / 1000))
    return name === '' ? undefined : { user: { name, groups: [...organizations] }, audiences }
  },
})
