import type { Kind } from '../../registry/kind'
import {
  AGAIN_WHOLE,
  CHANGE_FIRST,
  OBJECT_FIRST,
  OBJECT_ONLY,
  WITHOUT_METADATA,
} from '../../registry/update-order'
import { type Declared, inFormat, mustBeSet, mustNotChange } from '../../validation/declared/rules'
import { anyCaseSubdomainProblems } from '../../validation/names'
import { csiDriverStrategy } from './csi-driver'
import { csiNodeStrategy } from './csi-node'
import { csiStorageCapacityStrategy } from './csi-storage-capacity'
import { storageClassStrategy, volumeAttributesClassStrategy } from './storage-class'
import { volumeAttachmentStrategy } from './volume-attachment'

/** The handwritten rule forbids the change. */
const IMMUTABLE: Declared = { first: [mustNotChange], replaces: /^Forbidden: updates to/ }

export const storageKinds: readonly Kind[] = [
  {
    group: 'storage.k8s.io',
    kind: 'CSIDriver',
    strategy: csiDriverStrategy,
    updateChecks: WITHOUT_METADATA,
  },
  {
    group: 'storage.k8s.io',
    kind: 'CSINode',
    strategy: csiNodeStrategy,
    updateChecks: AGAIN_WHOLE,
  },
  {
    group: 'storage.k8s.io',
    kind: 'CSIStorageCapacity',
    strategy: csiStorageCapacityStrategy,
    updateChecks: OBJECT_FIRST,
  },
  {
    group: 'storage.k8s.io',
    kind: 'StorageClass',
    strategy: storageClassStrategy,
    updateChecks: OBJECT_FIRST,
    declared: {
      members: {
        provisioner: { ...IMMUTABLE, first: [mustBeSet, mustNotChange] },
        parameters: IMMUTABLE,
        reclaimPolicy: IMMUTABLE,
        volumeBindingMode: IMMUTABLE,
      },
    },
  },
  {
    group: 'storage.k8s.io',
    kind: 'VolumeAttachment',
    strategy: volumeAttachmentStrategy,
    updateChecks: AGAIN_WHOLE,
    subresourceChecks: AGAIN_WHOLE,
    later: {
      change: 'UpdatesCheckedOnce',
      updateChecks: OBJECT_ONLY,
      subresourceChecks: OBJECT_ONLY,
    },
    declared: {
      members: {
        spec: {
          first: [mustNotChange],
          members: {
            attacher: {
              first: [mustBeSet],
              all: [inFormat(anyCaseSubdomainProblems)],
              replaces: /^Invalid value/,
            },
          },
        },
      },
    },
  },
  {
    group: 'storage.k8s.io',
    kind: 'VolumeAttributesClass',
    strategy: volumeAttributesClassStrategy,
    updateChecks: ['metadata', 'object', 'metadata change', 'change', 'metadata', 'object'],
    later: { change: 'UpdatesCheckedOnce', updateChecks: CHANGE_FIRST },
  },
]
