/** Strategies of the kinds of group `node.k8s.io`. */
import type { Strategy } from '../strategy'

export const nodeStrategies: Record<string, Strategy> = {
  'node.k8s.io/RuntimeClass': { allowUnconditionalUpdate: false, allowCreateOnUpdate: true },
}
