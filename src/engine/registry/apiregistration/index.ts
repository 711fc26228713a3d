/** Strategies of the kinds of group `apiregistration.k8s.io`. */
import type { Strategy } from '../strategy'

export const apiregistrationStrategies: Record<string, Strategy> = {
  'apiregistration.k8s.io/APIService': { serverOwned: ['status'], allowUnconditionalUpdate: false },
}
