/** Strategies of the kinds of group `discovery.k8s.io`. */
import type { Strategy } from '../strategy'

export const discoveryStrategies: Record<string, Strategy> = {
  'discovery.k8s.io/EndpointSlice': { generationFields: ['addressType', 'endpoints', 'ports', 'metadata.labels'] },
}
