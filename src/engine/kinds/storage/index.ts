import type { Kind } from '../../registry/kind'
import {
  AGAIN_WHOLE,
  CHANGE_FIRST,
  OBJECT_FIRST,
  OBJECT_ONLY,
  WITHOUT_METADATA,
} from '../../registry/update-order'
import { type Declared, inFormat, mustBeSet, mustNotChange } from '../../validation/declared/rules'
import { dnsSubdomainProblems } from '../../validation/names'
import { csiDriverStrategy } from './csi-driver'
import { csiNodeStrategy } from './csi-node'
import { csiStorageCapacityStrategy } from './csi-storage-capacity'
import { storageClassStrategy, volumeAttributesClassStrategy } from './storage-class'
import { volumeAttachmentStrategy } from './volume-attachment'

/** The handwritten rule forbids the change. */
const IMMUTABLE: Declared = { first: [mustNotChange], replaces: /^Forbidden: updates to/ }

/** k8s.io/apimachinery, pkg/api/validate/strfmt.go, `LongNameCaseless`. */
const anyCaseProblems = (name: string): string[] =>
  dnsSubdomainProblems(name.toLowerCase()).map((problem) =>
    problem
      .replace(
        'a lowercase RFC 1123 subdomain must consist of lower case',
        'an RFC 1123 subdomain must consist of',
      )
      .replace("'example.com'", "'Example.com'"),
  )

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
              all: [inFormat(anyCaseProblems)],
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
