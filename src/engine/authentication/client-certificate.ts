/** `--client-ca-file`: who holds a certificate of the cluster's authority (document 2, "Client certificate"). */
import type { Clock } from '../environment'
import type { Authenticator } from './authenticator'

/** What is counted of client certificates; `observation` has the instruments. */
export interface CertificateMetrics {
  /** A certificate that authenticates a request is valid for that many more seconds. */
  certificateLifetime(seconds: number): void
}

/** The common name is the user, each organization a group. A certificate of another authority, or one that expired, is refused. */
export const clientCertificates = (clock: Clock, metrics: CertificateMetrics): Authenticator => ({
  authenticate(request, { audiences }) {
    const certificate = request.clientCertificate?.()
    if (certificate === undefined) return undefined
    if (!certificate.authorities.includes('clients'))
      return {
        refused: [
          `verifying certificate failed: ${certificate.problem ?? 'x509: certificate signed by unknown authority'}`,
        ],
      }
    const { commonName: name, organizations, notAfter } = certificate
    if (notAfter !== undefined)
      metrics.certificateLifetime(Math.max(0, (notAfter - clock.now()) / 1000))
    return name === '' ? undefined : { user: { name, groups: [...organizations] }, audiences }
  },
})
