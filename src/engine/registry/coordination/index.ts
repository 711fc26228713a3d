/** Strategies of the kinds of group `coordination.k8s.io`. */
import type { Strategy } from '../strategy'

export const coordinationStrategies: Record<string, Strategy> = {
  'coordination.k8s.io/Lease': { allowCreateOnUpdate: true, laxFinalizers: true },
}
