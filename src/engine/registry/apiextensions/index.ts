/** Strategies of the kinds of group `apiextensions.k8s.io`. */
import { STATUS_ALONE, type Strategy } from '../strategy'

export const apiextensionsStrategies: Record<string, Strategy> = {
  'apiextensions.k8s.io/CustomResourceDefinition': {
    generationFields: ['spec'],
    serverOwned: ['status'],
    allowUnconditionalUpdate: false,
    statusKeeps: STATUS_ALONE,
  },
}
