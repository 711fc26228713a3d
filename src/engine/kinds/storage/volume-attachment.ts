/**
 * Recorded from kube-apiserver 1.31. Inline volumes and sizes: k8s.io/kubernetes,
 * pkg/apis/storage/validation.
 */

import type { JsonObject, KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { STATUS_ALONE, type Strategy } from '../../registry/strategy'
import { semanticallyEqual } from '../../schema/semantic-equality'
import { forbiddenField, invalidValue, required, tooLong } from '../../validation/field-errors'
import { invalidStructure, typeNamed } from '../../validation/go-literal'
import { byteLength, dnsSubdomainProblems } from '../../validation/names'
import { accessModeErrors, driverNameErrors } from '../../validation/volumes'
import { recycledRootErrors } from '../core/persistent-volume'
import { persistentSourceErrors } from '../core/persistent-volume-sources'

interface InlineVolume {
  accessModes?: string[]
  capacity?: Record<string, string>
  claimRef?: unknown
  csi?: unknown
  hostPath?: { path?: string }
  nodeAffinity?: unknown
  persistentVolumeReclaimPolicy?: string
  storageClassName?: string
  volumeAttributesClassName?: string
  volumeMode?: string
}

interface Spec {
  attacher?: string
  nodeName?: string
  source?: { persistentVolumeName?: string; inlineVolumeSpec?: InlineVolume }
}

interface Status {
  attachmentMetadata?: Record<string, string>
  attachError?: { message?: string }
  detachError?: { message?: string }
}

const specOf = (object: KubeObject): Spec => (object.spec ?? {}) as Spec

export const volumeAttachmentStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  serverOwned: ['status'],
  statusKeeps: [...STATUS_ALONE, 'deletionTimestamp'],
  validate: (object, { engine }) => [
    ...specErrors(specOf(object), engine.featureGates.VolumeAttributesClass === true),
    ...statusErrors((object.status ?? {}) as Status),
  ],
  validateNew: (object) => driverErrors(specOf(object)),
  validateUpdate: (object, old) =>
    semanticallyEqual(typeNamed('storage.v1.VolumeAttachmentSpec'), object.spec, old.spec)
      ? []
      : [
          invalidStructure(
            'spec',
            'storage.v1.VolumeAttachmentSpec',
            object.spec,
            'field is immutable',
          ),
        ],
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
  },
}

const EXACTLY_ONE = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'

function specErrors(
  { attacher = '', source = {}, nodeName = '' }: Spec,
  classes: boolean,
): FieldError[] {
  return [
    ...(attacher === '' ? [required('spec.attacher')] : []),
    ...sourceErrors('spec.source', source, classes),
    ...dnsSubdomainProblems(nodeName).map((problem) =>
      invalidValue('spec.nodeName', nodeName, problem),
    ),
  ]
}

function sourceErrors(
  path: string,
  source: NonNullable<Spec['source']>,
  classes: boolean,
): FieldError[] {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source
  const named = typeof name === 'string'
  if (inline)
    return named
      ? [forbiddenField(path, EXACTLY_ONE)]
      : inlineErrors(`${path}.inlineVolumeSpec`, inline, classes)
  if (!named) return [required(path, EXACTLY_ONE)]
  return name === ''
    ? [required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')]
    : []
}

const INLINE = 'in the context of inline volumes'

/** Without members of objects. @param classes the feature gate */
function inlineErrors(path: string, volume: InlineVolume, classes: boolean): FieldError[] {
  const { accessModes = [], csi, persistentVolumeReclaimPolicy: policy, volumeMode } = volume
  const absent = (...members: (keyof InlineVolume)[]) =>
    members
      .filter((member) => volume[member])
      .map((member) => forbiddenField(`${path}.${member}`, `may not be specified ${INLINE}`))
  return [
    ...absent('claimRef', 'capacity'),
    ...(csi ? [] : [required(`${path}.csi`, `has to be specified ${INLINE}`)]),
    ...(accessModes.length === 0
      ? [required(`${path}.accessModes`)]
      : accessModeErrors(`${path}.accessModes`, accessModes)),
    ...(policy && policy !== 'Retain'
      ? [forbiddenField(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${INLINE}`)]
      : []),
    ...absent('nodeAffinity'),
    ...persistentSourceErrors('', volume as JsonObject, path),
    ...recycledRootErrors(path, volume),
    ...absent('storageClassName'),
    ...(volumeMode && volumeMode !== 'Filesystem'
      ? [
          forbiddenField(
            `${path}.volumeMode`,
            `may not specify volumeMode other than Filesystem ${INLINE}`,
          ),
        ]
      : []),
    ...(classes ? absent('volumeAttributesClassName') : []),
  ]
}

const MAX_METADATA_BYTES = 256 * 1024
const LONGEST_MESSAGE = 1024

function statusErrors({ attachmentMetadata = {}, ...errors }: Status): FieldError[] {
  const size = Object.entries(attachmentMetadata).reduce(
    (sum, [key, value]) => sum + byteLength(key) + byteLength(value),
    0,
  )
  const long = (['attachError', 'detachError'] as const).filter(
    (member) => byteLength(errors[member]?.message ?? '') > LONGEST_MESSAGE,
  )
  return [
    ...(size > MAX_METADATA_BYTES
      ? [tooLong('status.attachmentMetadata', MAX_METADATA_BYTES)]
      : []),
    // The message has another limit than the check.
    ...long.map((member) => tooLong(`status.${member}.message`, MAX_METADATA_BYTES)),
  ]
}

/** v1 requires more of new objects than beta. */
function driverErrors({ attacher, source }: Spec): FieldError[] {
  const name = source?.persistentVolumeName
  const problems = name === undefined ? [] : dnsSubdomainProblems(name)
  return [
    ...driverNameErrors('spec.attacher', attacher),
    ...problems.map((problem) => invalidValue('spec.source.persistentVolumeName', name, problem)),
  ]
}
