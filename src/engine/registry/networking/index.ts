/** Strategies of the kinds of group `networking.k8s.io`. */
import type { Strategy } from '../strategy'
import { networkPolicyStrategy } from './network-policy'

export const networkingStrategies: Record<string, Strategy> = {
  'networking.k8s.io/Ingress': { generationFields: ['spec'], serverOwned: ['status'] },
  'networking.k8s.io/NetworkPolicy': networkPolicyStrategy,
  'networking.k8s.io/IngressClass': { generationFields: ['spec'] },
}
