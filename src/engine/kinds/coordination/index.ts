import type { Kind } from '../../registry/kind'
import { WITHOUT_METADATA } from '../../registry/update-order'
import { leaseCandidateStrategy } from './election'
import { leaseStrategy } from './lease'

export const coordinationKinds: readonly Kind[] = [
  {
    group: 'coordination.k8s.io',
    kind: 'Lease',
    strategy: leaseStrategy,
    updateChecks: WITHOUT_METADATA,
  },
  {
    group: 'coordination.k8s.io',
    kind: 'LeaseCandidate',
    strategy: leaseCandidateStrategy,
    updateChecks: WITHOUT_METADATA,
  },
]
