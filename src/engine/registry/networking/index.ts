/** Strategies of the kinds of group `networking.k8s.io`. */
import type { Strategy } from '../strategy'

export const networkingStrategies: Record<string, Strategy> = {
  'networking.k8s.io/Ingress': { generationFields: ['spec'], serverOwned: ['status'] },
  'networking.k8s.io/NetworkPolicy': { generationFields: ['spec'] },
  'networking.k8s.io/IngressClass': { generationFields: ['spec'] },
}
