import type { Kind } from '../../registry/kind'
import { at, NAME } from '../../registry/selectable-fields'
import {
  OBJECT_AGAIN,
  OBJECT_FIRST,
  WHOLE_AROUND_CHANGE,
  WITHOUT_METADATA,
} from '../../registry/update-order'
import { type Declared, mustNotChange } from '../../validation/declared/rules'
import {
  deviceClassStrategy,
  podSchedulingContextStrategy,
  resourceClaimStrategy,
  resourceClaimTemplateStrategy,
} from './claims'
import { resourceSliceStrategy } from './slices'
import { deviceTaintRuleStrategy } from './taints'

const FIXED_SPEC: Declared = {
  members: { spec: { first: [mustNotChange], replaces: /: field is immutable$/ } },
}

export const resourceKinds: readonly Kind[] = [
  {
    group: 'resource.k8s.io',
    kind: 'DeviceClass',
    strategy: deviceClassStrategy,
    updateChecks: OBJECT_AGAIN,
  },
  {
    group: 'resource.k8s.io',
    kind: 'DeviceTaintRule',
    strategy: deviceTaintRuleStrategy,
    updateChecks: WITHOUT_METADATA,
  },
  {
    group: 'resource.k8s.io',
    kind: 'PodSchedulingContext',
    strategy: podSchedulingContextStrategy,
    updateChecks: WHOLE_AROUND_CHANGE,
  },
  {
    group: 'resource.k8s.io',
    kind: 'ResourceClaim',
    strategy: resourceClaimStrategy,
    updateChecks: OBJECT_FIRST,
    declared: FIXED_SPEC,
  },
  {
    group: 'resource.k8s.io',
    kind: 'ResourceClaimTemplate',
    strategy: resourceClaimTemplateStrategy,
    updateChecks: OBJECT_FIRST,
    declared: FIXED_SPEC,
  },
  {
    group: 'resource.k8s.io',
    kind: 'ResourceSlice',
    strategy: resourceSliceStrategy,
    updateChecks: WITHOUT_METADATA,
    selectable: {
      fields: { ...NAME, 'spec.nodeName': at('spec.nodeName'), 'spec.driver': at('spec.driver') },
      rejection: (field) =>
        `field label not supported for resource.k8s.io/v1alpha3, Kind=ResourceSlice: ${field}`,
    },
  },
]
