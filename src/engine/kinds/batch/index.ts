/** Strategies of the kinds of group `batch`. */
import type { Strategy } from '../../registry/strategy'
import { cronJobStrategy } from './cron-job'
import { jobStrategy } from './job'

export const batchStrategies: Record<string, Strategy> = {
  'batch/CronJob': cronJobStrategy,
  'batch/Job': jobStrategy,
}
