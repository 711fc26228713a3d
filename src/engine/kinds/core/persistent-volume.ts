/** Rules of PersistentVolumes. Recorded from kube-apiserver 1.31. */

import { timestamp } from '../../core/environment'
import { append } from '../../core/lists'
import { entryOf, equalJson, type Json, type JsonObject, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import type { ReleaseTables } from '../../release-tables/tables'
import { isExplicitEmpty } from '../../schema/explicit-empties'
import { explicitQuantity } from '../../schema/explicit-quantities'
import { goJsonSorted } from '../../schema/go-json'
import type { StructType } from '../../schema/model'
import {
  forbiddenField,
  invalidValue,
  notSupported,
  notSupportedPrinted,
  required,
} from '../../validation/field-errors'
import { invalidStructure, typeNamed } from '../../validation/go-literal'
import { goValue } from '../../validation/go-value'
import { NEW_LABELS, oldExpressionWarnings } from '../../validation/node-labels'
import { roundAmounts, shownQuantity, usableErrors } from '../../validation/quantities'
import { forbiddenChange } from '../../validation/value-changes'
import {
  accessModeErrors,
  classAnnotationWarnings,
  classNameErrors,
  positiveErrors,
  volumeModeErrors,
} from '../../validation/volumes'
import { persistentSourceErrors, SOURCE_MEMBERS } from './persistent-volume-sources'
import type { NodeSelector } from './pod-types'
import { nodeSelectorErrors } from './pod-validation/affinity'

interface Spec {
  capacity?: Record<string, string>
  accessModes?: string[]
  persistentVolumeReclaimPolicy?: string
  storageClassName?: string
  volumeMode?: string
  nodeAffinity?: { required?: NodeSelector }
  volumeAttributesClassName?: string
  hostPath?: { path?: string; type?: string }
  [source: string]: unknown
}

interface Volume extends KubeObject {
  spec?: Spec
  status?: VolumeStatus
}

interface VolumeStatus {
  phase?: string
  lastPhaseTransitionTime?: string
}

const PENDING = 'Pending'
const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain']

export const persistentVolumeStrategy: Strategy = {
  serverOwned: ['status'],
  defaults(object) {
    const volume = object as Volume
    volume.spec ??= {}
    volume.spec.persistentVolumeReclaimPolicy ||= 'Retain'
    volume.spec.volumeMode ??= 'Filesystem'
    roundAmounts(volume.spec.capacity)
    if (volume.spec.hostPath) volume.spec.hostPath.type ??= ''
    volume.status ??= {}
    volume.status.phase ||= PENDING
  },
  prepareForCreate(object, { clock, engine }) {
    const volume = object as Volume
    volume.status = { phase: PENDING, lastPhaseTransitionTime: timestamp(clock.now()) }
    if (!engine.featureGates.VolumeAttributesClass) delete volume.spec?.volumeAttributesClassName
  },
  prepareForUpdate(object, old, { engine }) {
    if (engine.featureGates.VolumeAttributesClass) return
    if ((old as Volume).spec?.volumeAttributesClassName === undefined)
      delete (object as Volume).spec?.volumeAttributesClassName
  },
  validate: (object) => volumeErrors(object as Volume),
  validateUpdate: (object, old, { engine }) =>
    changeErrors((object as Volume).spec ?? {}, (old as Volume).spec ?? {}, engine.tables),
  warningsOnCreate: (object) => warnings(object as Volume),
  warningsOnUpdate: (object) => warnings(object as Volume),
  status: {
    prepareForUpdate(object, old, { clock }) {
      object.spec = old.spec
      const { status } = object as Volume
      const since = phaseSince(status ?? {}, (old as Volume).status ?? {}, timestamp(clock.now()))
      if (status && since) status.lastPhaseTransitionTime = since
    },
  },
}

/** As written, or now if the phase changes. */
function phaseSince(now: VolumeStatus, before: VolumeStatus, time: string): string | undefined {
  const [specified, known] = [now.lastPhaseTransitionTime, before.lastPhaseTransitionTime]
  if (now.phase === before.phase) return specified ?? known
  return specified === undefined || specified === known ? time : specified
}

function volumeErrors({ metadata, spec = {} }: Volume): FieldError[] {
  const policy = spec.persistentVolumeReclaimPolicy ?? ''
  const modes = spec.accessModes ?? []
  return [
    ...(modes.length === 0 ? [required('spec.accessModes')] : []),
    ...accessModeErrors('spec.accessModes', modes),
    ...capacityErrors(
      spec.capacity ?? {},
      spec.capacity !== undefined || isExplicitEmpty(spec, 'capacity'),
    ),
    ...(policy === '' || RECLAIM_POLICIES.includes(policy)
      ? []
      : [notSupported('spec.persistentVolumeReclaimPolicy', policy, RECLAIM_POLICIES)]),
    ...affinityErrors(spec),
    ...persistentSourceErrors(metadata.name ?? '', spec as JsonObject),
    ...recycledRootErrors('spec', spec),
    ...classNameErrors('spec.storageClassName', spec.storageClassName),
    ...volumeModeErrors('spec.volumeMode', spec.volumeMode),
    ...attributesClassErrors(spec),
    ...mountOptionErrors(metadata.annotations ?? {}, spec),
  ]
}

const isRoot = (path: string | undefined): boolean =>
  path !== undefined && /^\/(?:\.?\/)*\.?$/.test(path)

/** Recycling deletes all files. */
export function recycledRootErrors(
  path: string,
  spec: Pick<Spec, 'persistentVolumeReclaimPolicy' | 'hostPath'>,
): FieldError[] {
  if (spec.persistentVolumeReclaimPolicy !== 'Recycle' || !isRoot(spec.hostPath?.path)) return []
  return [
    forbiddenField(
      `${path}.persistentVolumeReclaimPolicy`,
      "may not be 'recycle' for a hostPath mount of '/'",
    ),
  ]
}

function capacityErrors(capacity: Record<string, string>, given: boolean): FieldError[] {
  const names = Object.keys(capacity).sort()
  const errors: FieldError[] = names.length === 0 ? [required('spec.capacity')] : []
  if (capacity.storage === undefined || names.length > 1) {
    const shown = names
      .map(
        (name) =>
          `${JSON.stringify(name)}:${shownQuantity(explicitQuantity(capacity, name), false)}`,
      )
      .join(', ')
    const value = given
      ? { go: `core.ResourceList{${shown}}`, json: goJsonSorted(capacity) }
      : { go: 'core.ResourceList(nil)', json: 'null' }
    errors.push(notSupportedPrinted('spec.capacity', value, ['storage']))
  }
  return [
    ...errors,
    ...names.flatMap((name) => {
      const [field, amount] = [`spec.capacity[${name}]`, entryOf(capacity, name) as string]
      return [...usableErrors(field, amount), ...positiveErrors(field, amount)]
    }),
  ]
}

/** Without the gate, only a stored class remains. */
function attributesClassErrors({ volumeAttributesClassName: name, csi }: Spec): FieldError[] {
  const field = 'spec.volumeAttributesClassName'
  if (name === undefined) return []
  return [
    ...(name === ''
      ? [required(field, 'an empty string is disallowed')]
      : classNameErrors(field, name)),
    ...(csi
      ? []
      : [required('spec.csi', 'has to be specified when using volumeAttributesClassName')]),
  ]
}

function affinityErrors({ nodeAffinity }: Spec): FieldError[] {
  if (!nodeAffinity) return []
  if (!nodeAffinity.required)
    return [required('spec.nodeAffinity.required', 'must specify required node constraints')]
  return nodeSelectorErrors(nodeAffinity.required, 'spec.nodeAffinity.required')
}

const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options'
const MOUNTABLE = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
]

function mountOptionErrors(annotations: Record<string, string>, spec: Spec): FieldError[] {
  if (annotations[MOUNT_OPTIONS] === undefined || MOUNTABLE.some((source) => spec[source]))
    return []
  return [
    forbiddenField(
      `metadata.annotations.${MOUNT_OPTIONS}`,
      'may not specify mount options for this volume type',
    ),
  ]
}

function changeErrors(given: Spec, old: Spec, tables: ReleaseTables): FieldError[] {
  const errors: FieldError[] = []
  const spec = withoutFirstExpandSecret(given, old)
  if (SOURCE_MEMBERS.some((source) => !equalJson(spec[source], old[source])))
    errors.push(sourceChanged(spec, old, tables))
  if (spec.volumeMode !== old.volumeMode)
    errors.push(invalidValue('volumeMode', spec.volumeMode, 'field is immutable'))
  if (old.nodeAffinity && !sameAffinity(spec.nodeAffinity, old.nodeAffinity)) {
    const why = 'field is immutable, except for updating from beta label to GA'
    errors.push(
      spec.nodeAffinity
        ? invalidStructure('nodeAffinity', 'VolumeNodeAffinity', spec.nodeAffinity, why)
        : invalidValue('nodeAffinity', undefined, why),
    )
  }
  return errors
}

interface Driver {
  controllerExpandSecretRef?: unknown
}

/** May be set after creation. */
function withoutFirstExpandSecret(spec: Spec, old: Spec): Spec {
  const [now, before] = [spec.csi as Driver | undefined, old.csi as Driver | undefined]
  if (!now?.controllerExpandSecretRef || !before || before.controllerExpandSecretRef) return spec
  const { controllerExpandSecretRef, ...csi } = now
  return { ...spec, csi }
}

/** A new name may replace a deprecated topology label. */
function sameAffinity(
  now: Spec['nodeAffinity'],
  before: NonNullable<Spec['nodeAffinity']>,
): boolean {
  const terms = (affinity: Spec['nodeAffinity']) => affinity?.required?.nodeSelectorTerms ?? []
  const [given, old] = [terms(now), terms(before)]
  const renamed = given.map((term, i) => ({
    ...term,
    matchExpressions: (term.matchExpressions ?? []).map((expression, j) => {
      const { key = '' } = old[i]?.matchExpressions?.[j] ?? {}
      return entryOf(NEW_LABELS, key) === expression.key ? { ...expression, key } : expression
    }),
  }))
  const plain = old.map((term) => ({ ...term, matchExpressions: term.matchExpressions ?? [] }))
  return equalJson(renamed, plain) && Boolean(now?.required) === Boolean(before.required)
}

/** In order of the internal Go struct. */
const SOURCE_ORDER = [
  ...[
    'gcePersistentDisk',
    'awsElasticBlockStore',
    'hostPath',
    'glusterfs',
    'nfs',
    'rbd',
    'quobyte',
    'iscsi',
    'flexVolume',
    'cinder',
  ],
  ...[
    'cephfs',
    'fc',
    'flocker',
    'azureFile',
    'vsphereVolume',
    'azureDisk',
    'photonPersistentDisk',
    'portworxVolume',
    'scaleIO',
  ],
  ...['local', 'storageos', 'csi'],
]

function sourceChanged(spec: Spec, old: Spec, tables: ReleaseTables): FieldError {
  const whole = typeNamed('PersistentVolumeSpec', tables) as StructType
  const fields = SOURCE_ORDER.flatMap((source) => whole.byName.get(source) ?? [])
  const type: StructType = { ...whole, name: 'io.k8s.api.core.v1.PersistentVolumeSource', fields }
  return forbiddenChange(
    tables.changes,
    'spec.persistentvolumesource',
    'spec.persistentvolumesource is immutable after creation',
    goValue(type, old as Json),
    goValue(type, spec as Json),
  )
}

/** Without effect in this release. */
const DEAD_SOURCES: Record<string, string> = {
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
}

function warnings({ metadata, spec = {} }: Volume): string[] {
  const found = classAnnotationWarnings(metadata.annotations)
  if (metadata.annotations?.[MOUNT_OPTIONS] !== undefined) {
    found.push(
      `metadata.annotations[${MOUNT_OPTIONS}]: deprecated since v1.31; use "mountOptions" attribute instead`,
    )
  }
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    found.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    )
  }
  for (const [i, term] of (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries())
    append(
      found,
      oldExpressionWarnings(
        term.matchExpressions,
        `spec.nodeAffinity.required.nodeSelectorTerms[${i}].matchExpressions`,
      ),
    )
  for (const [source, why] of Object.entries(DEAD_SOURCES))
    if (spec[source]) found.push(`spec.${source === 'storageos' ? 'storageOS' : source}: ${why}`)
  return found
}
