/** Persistent volumes: one source each, that never changes, and a phase that knows since when it holds (texts recorded). */
import { timestamp } from '../../environment'
import type { FieldError } from '../../http/status'
import { equalJson, type Json, type KubeObject } from '../../object'
import type { StructType } from '../../schema/model'
import { forbiddenField, invalidValue, notSupported, required } from '../field-errors'
import { goDiff } from '../rules/go-diff'
import { typeNamed } from '../rules/go-literal'
import { goValue } from '../rules/go-value'
import { shownQuantity } from '../rules/quantities'
import {
  accessModeErrors,
  classAnnotationWarnings,
  classNameErrors,
  csiVolumeErrors,
  positiveErrors,
  volumeModeErrors,
} from '../rules/volumes'
import type { Strategy } from '../strategy'
import type { NodeSelectorTerm } from './pod-types'
import { nodeTermErrors } from './pod-validation/affinity'

interface Spec {
  capacity?: Record<string, string>
  accessModes?: string[]
  persistentVolumeReclaimPolicy?: string
  storageClassName?: string
  volumeMode?: string
  nodeAffinity?: { required?: { nodeSelectorTerms?: NodeSelectorTerm[] } }
  volumeAttributesClassName?: string
  [source: string]: unknown
}

interface Volume extends KubeObject {
  spec?: Spec
  status?: { phase?: string; lastPhaseTransitionTime?: string }
}

/** Types of volumes in the order in which they are looked at. */
const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
]

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain']

export const persistentVolumeStrategy: Strategy = {
  serverOwned: ['status'],
  defaults(object) {
    const volume = object as Volume
    volume.spec ??= {}
    volume.spec.persistentVolumeReclaimPolicy ||= 'Retain'
    volume.spec.volumeMode ??= 'Filesystem'
    volume.status = { ...volume.status, phase: volume.status?.phase || 'Pending' }
    const hostPath = volume.spec.hostPath as { type?: string } | undefined
    if (hostPath) hostPath.type ??= ''
  },
  prepareForCreate(object, { clock, engine }) {
    const volume = object as Volume
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: timestamp(clock.now()) }
    if (!engine.featureGates.VolumeAttributesClass) delete volume.spec?.volumeAttributesClassName
  },
  prepareForUpdate(object, old, { engine }) {
    if (engine.featureGates.VolumeAttributesClass) return
    if ((old as Volume).spec?.volumeAttributesClassName === undefined) delete (object as Volume).spec?.volumeAttributesClassName
  },
  validate: (object) => volumeErrors(object as Volume),
  validateUpdate: (object, old) => changeErrors((object as Volume).spec ?? {}, (old as Volume).spec ?? {}),
  warningsOnCreate: (object) => warnings(object as Volume),
  warningsOnUpdate: (object) => warnings(object as Volume),
  status: {
    prepareForUpdate(object, old, { clock }) {
      object.spec = old.spec
      const { status } = object as Volume
      const before = (old as Volume).status
      if (status && status.phase !== before?.phase && status.lastPhaseTransitionTime === before?.lastPhaseTransitionTime) {
        status.lastPhaseTransitionTime = timestamp(clock.now())
      }
    },
  },
}

function volumeErrors({ metadata, spec = {} }: Volume): FieldError[] {
  const policy = spec.persistentVolumeReclaimPolicy ?? ''
  const modes = spec.accessModes ?? []
  const hostPath = spec.hostPath as { path?: string } | undefined
  return [
    ...(modes.length === 0 ? [required('spec.accessModes')] : []),
    ...accessModeErrors('spec.accessModes', modes),
    ...capacityErrors(spec.capacity ?? {}, spec.capacity !== undefined),
    ...(policy === '' || RECLAIM_POLICIES.includes(policy)
      ? []
      : [notSupported('spec.persistentVolumeReclaimPolicy', policy, RECLAIM_POLICIES)]),
    ...affinityErrors(spec),
    ...sourceErrors(spec),
    ...(policy === 'Recycle' && isRoot(hostPath?.path)
      ? [forbiddenField('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
    ...classNameErrors('spec.storageClassName', spec.storageClassName),
    ...volumeModeErrors('spec.volumeMode', spec.volumeMode),
    ...mountOptionErrors(metadata.annotations ?? {}, spec),
  ]
}

const isRoot = (path: string | undefined): boolean => path !== undefined && /^\/+(?:\.?\/+)*\.?$/.test(path)

function capacityErrors(capacity: Record<string, string>, given: boolean): FieldError[] {
  const names = Object.keys(capacity)
  const errors: FieldError[] = names.length === 0 ? [required('spec.capacity')] : []
  if (capacity.storage === undefined || names.length > 1) {
    const shown = names.map((name) => `${JSON.stringify(name)}:${shownQuantity(capacity[name] as string, true)}`).join(', ')
    const value = given ? `core.ResourceList{${shown}}` : 'core.ResourceList(nil)'
    errors.push({
      field: 'spec.capacity',
      reason: 'FieldValueNotSupported',
      detail: `Unsupported value: ${value}: supported values: "storage"`,
    })
  }
  return [...errors, ...names.flatMap((name) => positiveErrors(`spec.capacity[${name}]`, capacity[name] as string))]
}

function affinityErrors({ nodeAffinity }: Spec): FieldError[] {
  if (!nodeAffinity) return []
  if (!nodeAffinity.required) return [required('spec.nodeAffinity.required', 'must specify required node constraints')]
  const terms = nodeAffinity.required.nodeSelectorTerms ?? []
  const at = 'spec.nodeAffinity.required.nodeSelectorTerms'
  if (terms.length === 0) return [required(at, 'must have at least one node selector term')]
  return terms.flatMap((term, i) => nodeTermErrors(term, `${at}[${i}]`))
}

const given = (spec: Spec): string[] => SOURCES.filter((source) => spec[source])

function sourceErrors(spec: Spec): FieldError[] {
  const [first, ...others] = given(spec)
  if (first === undefined) return [required('spec', 'must specify a volume type')]
  return [
    ...(SOURCE_RULES[first]?.(spec[first] as Record<string, string>, `spec.${first}`, spec) ?? []),
    ...others.map((source) => forbiddenField(`spec.${source}`, 'may not specify more than 1 volume type')),
  ]
}

type SourceRule = (source: Record<string, string>, path: string, spec: Spec) => FieldError[]

/** What each type asks for; the types that no release provides any more are taken as they are. */
const SOURCE_RULES: Record<string, SourceRule> = {
  hostPath: ({ path }, at) => pathErrors(`${at}.path`, path),
  local: ({ path }, at, spec) => [
    ...pathErrors(`${at}.path`, path),
    ...(spec.nodeAffinity ? [] : [required('spec.nodeAffinity', 'Local volume requires node affinity')]),
  ],
  nfs: ({ server, path = '' }, at) => [
    ...(server ? [] : [required(`${at}.server`)]),
    ...(path === '' ? [required(`${at}.path`)] : []),
    ...(path.startsWith('/') ? [] : [invalidValue(`${at}.path`, path, 'must be an absolute path')]),
  ],
  csi: (source, at) => csiVolumeErrors(at, source),
}

function pathErrors(field: string, path = ''): FieldError[] {
  if (path === '') return [required(field)]
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : []
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
  if (annotations[MOUNT_OPTIONS] === undefined || MOUNTABLE.some((source) => spec[source])) return []
  return [forbiddenField(`metadata.annotations.${MOUNT_OPTIONS}`, 'may not specify mount options for this volume type')]
}

function changeErrors(spec: Spec, old: Spec): FieldError[] {
  const errors: FieldError[] = []
  if (SOURCES.some((source) => !equalJson(spec[source], old[source]))) {
    errors.push(sourceChanged(spec, old))
  }
  if (spec.volumeMode !== old.volumeMode) errors.push(invalidValue('volumeMode', spec.volumeMode, 'field is immutable'))
  if (old.nodeAffinity && !equalJson(spec.nodeAffinity, old.nodeAffinity)) {
    errors.push(invalidValue('nodeAffinity', spec.nodeAffinity, 'field is immutable'))
  }
  return errors
}

/** The sources as the structure that the server's own type keeps them in, in its order (recorded; public). */
const SOURCE_ORDER = [
  ...['gcePersistentDisk', 'awsElasticBlockStore', 'hostPath', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi', 'flexVolume', 'cinder'],
  ...['cephfs', 'fc', 'flocker', 'azureFile', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk', 'portworxVolume', 'scaleIO'],
  ...['local', 'storageos', 'csi'],
]

function sourceChanged(spec: Spec, old: Spec): FieldError {
  const whole = typeNamed('PersistentVolumeSpec') as StructType
  const fields = SOURCE_ORDER.flatMap((source) => whole.byName.get(source) ?? [])
  const type: StructType = { ...whole, name: 'io.k8s.api.core.v1.PersistentVolumeSource', fields }
  const difference = goDiff(goValue(type, old as Json), goValue(type, spec as Json))
  return forbiddenField('spec.persistentvolumesource', `spec.persistentvolumesource is immutable after creation\n${difference}`)
}

/** Types that are served but do nothing any more. */
const DEAD_SOURCES: Record<string, string> = {
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
}

/** Labels of nodes that have another name now. */
const RENAMED_LABELS: Record<string, string> = {
  'beta.kubernetes.io/arch': 'since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'since v1.17; use "node.kubernetes.io/instance-type" instead',
}

function warnings({ metadata, spec = {} }: Volume): string[] {
  const found = classAnnotationWarnings(metadata.annotations)
  if (metadata.annotations?.[MOUNT_OPTIONS] !== undefined) {
    found.push(`metadata.annotations[${MOUNT_OPTIONS}]: deprecated since v1.31; use "mountOptions" attribute instead`)
  }
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    found.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    )
  }
  for (const [i, term] of (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries()) {
    for (const [j, { key = '' }] of (term.matchExpressions ?? []).entries()) {
      const renamed = RENAMED_LABELS[key]
      const path = `spec.nodeAffinity.required.nodeSelectorTerms[${i}].matchExpressions[${j}].key`
      if (renamed) found.push(`${path}: ${key} is deprecated ${renamed}`)
    }
  }
  for (const [source, why] of Object.entries(DEAD_SOURCES)) if (spec[source]) found.push(`spec.${source}: ${why}`)
  return found
}
