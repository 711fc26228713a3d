/** Strategies of the kinds of group `apps`. */
import type { Strategy } from '../../registry/strategy'
import { controllerRevisionStrategy } from './controller-revision'
import { daemonSetStrategy } from './daemon-set'
import { deploymentStrategy } from './deployment'
import { replicaSetStrategy } from './replica-set'
import { statefulSetStrategy } from './stateful-set'

export const appsStrategies: Record<string, Strategy> = {
  'apps/ControllerRevision': controllerRevisionStrategy,
  'apps/DaemonSet': daemonSetStrategy,
  'apps/Deployment': deploymentStrategy,
  'apps/ReplicaSet': replicaSetStrategy,
  'apps/StatefulSet': statefulSetStrategy,
}
