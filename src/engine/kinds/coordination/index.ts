/** Strategies of the kinds of group `coordination.k8s.io`. */
import type { Strategy } from '../../registry/strategy'
import { leaseCandidateStrategy } from './election'
import { leaseStrategy } from './lease'

export const coordinationStrategies: Record<string, Strategy> = {
  'coordination.k8s.io/Lease': leaseStrategy,
  'coordination.k8s.io/LeaseCandidate': leaseCandidateStrategy,
}
