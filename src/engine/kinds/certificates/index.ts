/** Strategies of the kinds of group `certificates.k8s.io`. */
import type { Strategy } from '../../registry/strategy'
import { signingRequestStrategy } from './signing-request'
import { clusterTrustBundleStrategy } from './trust-bundle'

export const certificatesStrategies: Record<string, Strategy> = {
  'certificates.k8s.io/CertificateSigningRequest': signingRequestStrategy,
  'certificates.k8s.io/ClusterTrustBundle': clusterTrustBundleStrategy,
}
