/** `--client-ca-file`: who holds a certificate of the cluster's authority (document 2, "Client certificate"). */
import type { Authenticator } from './authenticator'

/** The common name is the user, each organization a group. A certificate of another authority, or one that expired, is refused. */
export const clientCertificates: Authenticator = {
  authenticate(request, { audiences }) {
    const certificate = request.clientCertificate?.()
    if (certificate === undefined) return undefined
    if (!certificate.authorities.includes('clients'))
      return { refused: [`verifying certificate failed: ${certificate.problem ?? 'x509: certificate signed by unknown authority'}`] }
    const { commonName: name, organizations } = certificate
    return name === '' ? undefined : { user: { name, groups: [...organizations] }, audiences }
  },
}
