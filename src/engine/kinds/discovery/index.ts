/** Strategies of the kinds of group `discovery.k8s.io`. */
import type { Strategy } from '../../registry/strategy'
import { endpointSliceStrategy } from './endpoint-slice'

export const discoveryStrategies: Record<string, Strategy> = {
  'discovery.k8s.io/EndpointSlice': endpointSliceStrategy,
}
