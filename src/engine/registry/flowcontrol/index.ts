/** Strategies of the kinds of group `flowcontrol.apiserver.k8s.io`. */
import type { Strategy } from '../strategy'

export const flowcontrolStrategies: Record<string, Strategy> = {
  'flowcontrol.apiserver.k8s.io/FlowSchema': { generationFields: ['spec'], serverOwned: ['status'] },
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': { generationFields: ['spec'], serverOwned: ['status'] },
}
