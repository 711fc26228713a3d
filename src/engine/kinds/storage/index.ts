/** Strategies of the kinds of group `storage.k8s.io`. */
import type { Strategy } from '../../registry/strategy'
import { csiDriverStrategy } from './csi-driver'
import { csiNodeStrategy } from './csi-node'
import { csiStorageCapacityStrategy } from './csi-storage-capacity'
import { storageClassStrategy, volumeAttributesClassStrategy } from './storage-class'
import { volumeAttachmentStrategy } from './volume-attachment'

export const storageStrategies: Record<string, Strategy> = {
  'storage.k8s.io/CSIDriver': csiDriverStrategy,
  'storage.k8s.io/CSINode': csiNodeStrategy,
  'storage.k8s.io/CSIStorageCapacity': csiStorageCapacityStrategy,
  'storage.k8s.io/StorageClass': storageClassStrategy,
  'storage.k8s.io/VolumeAttachment': volumeAttachmentStrategy,
  'storage.k8s.io/VolumeAttributesClass': volumeAttributesClassStrategy,
}
