/** Strategies of the kinds of group `resource.k8s.io`. */
import type { Strategy } from '../../registry/strategy'
import {
  deviceClassStrategy,
  podSchedulingContextStrategy,
  resourceClaimStrategy,
  resourceClaimTemplateStrategy,
} from './claims'
import { resourceSliceStrategy } from './slices'

export const resourceStrategies: Record<string, Strategy> = {
  'resource.k8s.io/DeviceClass': deviceClassStrategy,
  'resource.k8s.io/PodSchedulingContext': podSchedulingContextStrategy,
  'resource.k8s.io/ResourceClaim': resourceClaimStrategy,
  'resource.k8s.io/ResourceClaimTemplate': resourceClaimTemplateStrategy,
  'resource.k8s.io/ResourceSlice': resourceSliceStrategy,
}
