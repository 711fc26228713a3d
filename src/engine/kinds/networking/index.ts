import type { Kind } from '../../registry/kind'
import { CHANGED_OBJECT, OBJECT_AGAIN, OBJECT_FIRST } from '../../registry/update-order'
import { REQUIRED } from '../../validation/declared/rules'
import { ingressStrategy } from './ingress'
import { ingressClassStrategy } from './ingress-class'
import { networkPolicyStrategy } from './network-policy'
import { ipAddressStrategy, serviceCidrStrategy } from './service-network'

export const networkingKinds: readonly Kind[] = [
  {
    group: 'networking.k8s.io',
    kind: 'Ingress',
    strategy: ingressStrategy,
    updateChecks: CHANGED_OBJECT,
  },
  {
    group: 'networking.k8s.io',
    kind: 'NetworkPolicy',
    strategy: networkPolicyStrategy,
    updateChecks: OBJECT_AGAIN,
  },
  {
    group: 'networking.k8s.io',
    kind: 'IngressClass',
    strategy: ingressClassStrategy,
    declared: {
      members: {
        spec: { members: { parameters: { members: { kind: REQUIRED, name: REQUIRED } } } },
      },
    },
  },
  {
    group: 'networking.k8s.io',
    kind: 'IPAddress',
    strategy: ipAddressStrategy,
    updateChecks: OBJECT_FIRST,
  },
  {
    group: 'networking.k8s.io',
    kind: 'ServiceCIDR',
    strategy: serviceCidrStrategy,
    updateChecks: OBJECT_FIRST,
  },
]
