import type { Kind } from '../../registry/kind'
import { CHANGED_OBJECT, OBJECT_AGAIN, WITHOUT_METADATA } from '../../registry/update-order'
import { controllerRevisionStrategy } from './controller-revision'
import { daemonSetStrategy } from './daemon-set'
import { deploymentStrategy } from './deployment'
import { replicaSetStrategy } from './replica-set'
import { statefulSetStrategy } from './stateful-set'

export const appsKinds: readonly Kind[] = [
  {
    group: 'apps',
    kind: 'ControllerRevision',
    strategy: controllerRevisionStrategy,
    updateChecks: CHANGED_OBJECT,
  },
  {
    group: 'apps',
    kind: 'DaemonSet',
    strategy: daemonSetStrategy,
    updateChecks: OBJECT_AGAIN,
    later: { change: 'WorkloadUpdatesCheckedOnce', updateChecks: WITHOUT_METADATA },
  },
  {
    group: 'apps',
    kind: 'Deployment',
    strategy: deploymentStrategy,
    updateChecks: WITHOUT_METADATA,
  },
  {
    group: 'apps',
    kind: 'ReplicaSet',
    strategy: replicaSetStrategy,
    updateChecks: OBJECT_AGAIN,
    later: { change: 'WorkloadUpdatesCheckedOnce', updateChecks: WITHOUT_METADATA },
  },
  {
    group: 'apps',
    kind: 'StatefulSet',
    strategy: statefulSetStrategy,
    updateChecks: WITHOUT_METADATA,
    subresourceChecks: ['change', 'metadata change'],
  },
]
