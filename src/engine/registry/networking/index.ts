/** Strategies of the kinds of group `networking.k8s.io`. */
import type { Strategy } from '../strategy'
import { ingressStrategy } from './ingress'
import { ingressClassStrategy } from './ingress-class'
import { networkPolicyStrategy } from './network-policy'

export const networkingStrategies: Record<string, Strategy> = {
  'networking.k8s.io/Ingress': ingressStrategy,
  'networking.k8s.io/NetworkPolicy': networkPolicyStrategy,
  'networking.k8s.io/IngressClass': ingressClassStrategy,
}
