/** Strategies of the kinds of group `apps`. */
import type { Strategy } from '../strategy'
import { defaultDaemonSet, defaultDeployment, defaultReplicaSet, defaultStatefulSet } from './defaults'

const workload: Strategy = { generationFields: ['spec'], serverOwned: ['status'] }

export const appsStrategies: Record<string, Strategy> = {
  'apps/Deployment': {
    ...workload,
    defaults: defaultDeployment,
    generationFields: ['spec', 'metadata.annotations'],
    statusKeeps: ['labels'],
  },
  'apps/DaemonSet': { ...workload, defaults: defaultDaemonSet },
  'apps/ReplicaSet': { ...workload, defaults: defaultReplicaSet },
  'apps/StatefulSet': { ...workload, defaults: defaultStatefulSet },
}
