/** Strategies of the kinds of group `flowcontrol.apiserver.k8s.io`. */
import type { Strategy } from '../../registry/strategy'
import { flowSchemaStrategy } from './flow-schema'
import { priorityLevelStrategy } from './priority-level'

export const flowcontrolStrategies: Record<string, Strategy> = {
  'flowcontrol.apiserver.k8s.io/FlowSchema': flowSchemaStrategy,
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': priorityLevelStrategy,
}
