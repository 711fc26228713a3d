/** Strategies of the kinds of group `apiextensions.k8s.io`. */
import type { Strategy } from '../strategy'

export const apiextensionsStrategies: Record<string, Strategy> = {
  'apiextensions.k8s.io/CustomResourceDefinition': { generationFields: ['spec'], serverOwned: ['status'] },
}
