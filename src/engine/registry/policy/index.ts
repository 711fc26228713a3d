/** Strategies of the kinds of group `policy`. */
import type { Strategy } from '../strategy'

export const policyStrategies: Record<string, Strategy> = {
  'policy/PodDisruptionBudget': { generationFields: ['spec'], serverOwned: ['status'], allowUnconditionalUpdate: false },
}
