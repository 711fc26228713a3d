import type { Kind } from '../../registry/kind'
import { OBJECT_ONLY } from '../../registry/update-order'
import { DECLARED_OF_LEVEL } from './declared'
import { flowSchemaStrategy } from './flow-schema'
import { priorityLevelStrategy } from './priority-level'

export const flowcontrolKinds: readonly Kind[] = [
  {
    group: 'flowcontrol.apiserver.k8s.io',
    kind: 'FlowSchema',
    strategy: flowSchemaStrategy,
    updateChecks: OBJECT_ONLY,
    subresourceChecks: ['change'],
  },
  {
    group: 'flowcontrol.apiserver.k8s.io',
    kind: 'PriorityLevelConfiguration',
    strategy: priorityLevelStrategy,
    updateChecks: OBJECT_ONLY,
    subresourceChecks: ['change'],
    declared: DECLARED_OF_LEVEL,
  },
]
