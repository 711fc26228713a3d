/** Strategies of the kinds of group `batch`. */
import type { Strategy } from '../strategy'

export const batchStrategies: Record<string, Strategy> = {
  'batch/Job': {
    generationFields: ['spec'],
    serverOwned: ['status'],
    defaultPropagation: 'Orphan',
    defaultPropagationWarning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  },
  'batch/CronJob': { generationFields: ['spec'], serverOwned: ['status'] },
}
