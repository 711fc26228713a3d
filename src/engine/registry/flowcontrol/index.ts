/** Strategies of the kinds of group `flowcontrol.apiserver.k8s.io`. */
import { STATUS_ALONE, type Strategy } from '../strategy'

const shared: Strategy = { generationFields: ['spec'], serverOwned: ['status'], statusKeeps: STATUS_ALONE }

export const flowcontrolStrategies: Record<string, Strategy> = {
  'flowcontrol.apiserver.k8s.io/FlowSchema': shared,
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': shared,
}
