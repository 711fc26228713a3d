import type { Kind } from '../../registry/kind'
import { podDisruptionBudgetStrategy } from './pod-disruption-budget'
import { podSecurityPolicyStrategy } from './pod-security-policy'

export const policyKinds: readonly Kind[] = [
  {
    group: 'policy',
    kind: 'PodDisruptionBudget',
    strategy: podDisruptionBudgetStrategy,
    updateChecks: ['object', 'change'],
    subresourceChecks: ['change'],
  },
  {
    group: 'policy',
    kind: 'PodSecurityPolicy',
    strategy: podSecurityPolicyStrategy,
  },
]
