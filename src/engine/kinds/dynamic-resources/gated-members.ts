/**
 * Drops fields of disabled feature gates, as `dropDisabledFields` of k8s.io/kubernetes,
 * pkg/registry/resource.
 */

import { type GatedPaths, gatedPaths } from '../../registry/gated-paths'

const ofClaim = (path: string): GatedPaths => {
  const requests = [`${path}.requests[].exactly.`, `${path}.requests[].firstAvailable[].`]
  const each = (member: string) => requests.map((request) => request + member)
  return gatedPaths({
    DRAAdminAccess: [`${path}.requests[].exactly.adminAccess`],
    DRAPrioritizedList: [`${path}.requests[].firstAvailable`],
    DRADeviceTaints: each('tolerations'),
    DRAConsumableCapacity: [...each('capacity'), `${path}.constraints[].distinctAttribute`],
    DRADerivedAttributes: each('derivedAttributes'),
  })
}

export const GATED_IN_CLAIMS = ofClaim('spec.devices')
export const GATED_IN_TEMPLATES = ofClaim('spec.spec.devices')
export const GATED_IN_CLASSES = gatedPaths({
  DRAExtendedResource: ['spec.extendedResourceName'],
})

const RESULTS = 'status.allocation.devices.results[].'

export const GATED_IN_STATUS = gatedPaths({
  DRAResourceClaimDeviceStatus: ['status.devices'],
  DRAAdminAccess: [`${RESULTS}adminAccess`],
  DRADeviceTaints: [`${RESULTS}tolerations`],
  DRAConsumableCapacity: [
    `${RESULTS}shareID`,
    `${RESULTS}consumedCapacity`,
    'status.devices[].shareID',
  ],
  DRADeviceBindingConditions: [
    `${RESULTS}bindingConditions`,
    `${RESULTS}bindingFailureConditions`,
    'status.allocation.allocationTimestamp',
  ],
  DRAOptionalNodeOperations: [`${RESULTS}skipNodeOperations`],
})

const DEVICES = 'spec.devices[].'

export const GATED_IN_SLICES = gatedPaths({
  DRADeviceTaints: [`${DEVICES}taints`],
  DRAPartitionableDevices: [
    'spec.perDeviceNodeSelection',
    'spec.sharedCounters',
    ...['consumesCounters', 'nodeName', 'nodeSelector', 'allNodes'].map((name) => DEVICES + name),
  ],
  DRADeviceBindingConditions: ['bindsToNode', 'bindingConditions', 'bindingFailureConditions'].map(
    (name) => DEVICES + name,
  ),
  DRAConsumableCapacity: [
    `${DEVICES}allowMultipleAllocations`,
    `${DEVICES}capacity{}.requestPolicy`,
  ],
  DRAListTypeAttributes: ['bools', 'ints', 'strings', 'versions'].map(
    (name) => `${DEVICES}attributes{}.${name}`,
  ),
  DRANodeAllocatableResources: [`${DEVICES}nodeAllocatableResources`],
  DRADeviceCompatibilityGroups: [`${DEVICES}consumesCounters[].compatibilityGroups`],
  DRAOptionalNodeOperations: ['spec.skipNodeOperations'],
  DRAPartitionableDevicesType: ['spec.partitionTypeAttribute'],
})
