import type { Kind } from '../../registry/kind'
import { fieldsAt, ofCluster, ofCore } from '../../registry/selectable-fields'
import { CHANGE_ONLY, OBJECT_FIRST } from '../../registry/update-order'
import { podCertificateRequestStrategy } from './pod-certificate-request'
import { signingRequestStrategy } from './signing-request'
import { clusterTrustBundleStrategy } from './trust-bundle'

export const certificatesKinds: readonly Kind[] = [
  {
    group: 'certificates.k8s.io',
    kind: 'CertificateSigningRequest',
    strategy: signingRequestStrategy,
    updateChecks: OBJECT_FIRST,
    subresourceChecks: OBJECT_FIRST,
    selectable: ofCluster(fieldsAt('spec.signerName')),
  },
  {
    group: 'certificates.k8s.io',
    kind: 'ClusterTrustBundle',
    strategy: clusterTrustBundleStrategy,
    selectable: ofCluster(fieldsAt('spec.signerName')),
  },
  {
    group: 'certificates.k8s.io',
    kind: 'PodCertificateRequest',
    strategy: podCertificateRequestStrategy,
    updateChecks: CHANGE_ONLY,
    selectable: ofCore(fieldsAt('spec.signerName', 'spec.podName', 'spec.nodeName')),
  },
]
