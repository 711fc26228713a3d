/** Strategies of the kinds of group `batch`. */
import type { Strategy } from '../strategy'

export const batchStrategies: Record<string, Strategy> = {
  'batch/Job': { generationFields: ['spec'], serverOwned: ['status'] },
  'batch/CronJob': { generationFields: ['spec'], serverOwned: ['status'] },
}
