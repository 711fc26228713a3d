/** Strategies of the kinds of group `networking.k8s.io`. */
import type { Strategy } from '../../registry/strategy'
import { ingressStrategy } from './ingress'
import { ingressClassStrategy } from './ingress-class'
import { networkPolicyStrategy } from './network-policy'
import { ipAddressStrategy, serviceCidrStrategy } from './service-network'

export const networkingStrategies: Record<string, Strategy> = {
  'networking.k8s.io/Ingress': ingressStrategy,
  'networking.k8s.io/NetworkPolicy': networkPolicyStrategy,
  'networking.k8s.io/IngressClass': ingressClassStrategy,
  'networking.k8s.io/IPAddress': ipAddressStrategy,
  'networking.k8s.io/ServiceCIDR': serviceCidrStrategy,
}
