/** Strategies of the kinds of group `apps`. */
import type { Strategy } from '../strategy'

export const appsStrategies: Record<string, Strategy> = {
  'apps/Deployment': { generationFields: ['spec'], serverOwned: ['status'] },
  'apps/DaemonSet': { generationFields: ['spec'], serverOwned: ['status'] },
  'apps/ReplicaSet': { generationFields: ['spec'], serverOwned: ['status'] },
  'apps/StatefulSet': { generationFields: ['spec'], serverOwned: ['status'] },
}
