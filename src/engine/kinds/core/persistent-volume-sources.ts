/** Recorded from kube-apiserver 1.31; others from k8s.io/kubernetes, pkg/apis/core/validation. */

import { isJsonObject, type JsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { forbiddenField, invalidValue, required } from '../../validation/field-errors'
import { dnsLabelProblems } from '../../validation/names'
import { backstepErrors } from '../../validation/paths'
import { csiVolumeErrors, type DriverVolume } from '../../validation/volumes'
import { persistentIscsiErrors } from './iscsi'
import { all, secretNeeds, text, VOLUME_TYPES } from './volume-types'

interface Source {
  member: string
  /** In paths of nested errors and of a second source, instead of the member. */
  shown?: string
  rejectedAs?: string
  /** Next to another source too. */
  never?: 'rejected'
  check(source: JsonObject, path: string, volume: VolumeSpec): FieldError[]
}

interface VolumeSpec {
  name: string
  spec: JsonObject
  path: string
}

function glusterfsErrors(source: JsonObject, path: string): FieldError[] {
  const { endpointsNamespace: namespace } = source
  const errors = VOLUME_TYPES.glusterfs(source, path)
  if (typeof namespace !== 'string') return errors
  const problems =
    namespace === ''
      ? ['if the endpointnamespace is set, it must be a valid namespace name']
      : dnsLabelProblems(namespace)
  return [
    ...errors,
    ...problems.map((problem) => invalidValue(`${path}.endpointsNamespace`, namespace, problem)),
  ]
}

function localErrors(
  source: JsonObject,
  path: string,
  { spec, path: around }: VolumeSpec,
): FieldError[] {
  const field = `${path}.path`
  return [
    ...(text(source.path) === '' ? [required(field)] : backstepErrors(field, text(source.path))),
    ...(isJsonObject(spec.nodeAffinity)
      ? []
      : [required(`${around}.nodeAffinity`, 'Local volume requires node affinity')]),
  ]
}

const azureFileErrors = (source: JsonObject, path: string): FieldError[] => [
  ...VOLUME_TYPES.azureFile(source, path),
  ...(source.secretNamespace === '' ? [required(`${path}.secretNamespace`)] : []),
]

const common = (member: keyof typeof VOLUME_TYPES): Source => ({
  member,
  check: VOLUME_TYPES[member],
})

/** In order of validation. */
const SOURCES: Source[] = [
  common('hostPath'),
  { ...common('gcePersistentDisk'), shown: 'persistentDisk' },
  common('awsElasticBlockStore'),
  { member: 'glusterfs', check: glusterfsErrors },
  common('flocker'),
  common('nfs'),
  common('rbd'),
  common('quobyte'),
  { ...common('cephfs'), rejectedAs: 'cephFS' },
  { member: 'iscsi', check: (source, path, { name }) => persistentIscsiErrors(source, path, name) },
  { member: 'cinder', check: all(VOLUME_TYPES.cinder, secretNeeds('name', 'namespace')) },
  common('fc'),
  { ...common('flexVolume'), never: 'rejected' },
  { member: 'azureFile', check: azureFileErrors },
  common('vsphereVolume'),
  common('photonPersistentDisk'),
  common('portworxVolume'),
  common('azureDisk'),
  common('scaleIO'),
  { member: 'local', check: localErrors },
  { member: 'storageos', check: all(VOLUME_TYPES.storageos, secretNeeds('name', 'namespace')) },
  { member: 'csi', check: (source, path) => csiVolumeErrors(path, source as DriverVolume) },
]

export const SOURCE_MEMBERS: readonly string[] = SOURCES.map(({ member }) => member)

/** @param name empty for inline volumes */
export function persistentSourceErrors(
  name: string,
  spec: JsonObject,
  path = 'spec',
): FieldError[] {
  const given = SOURCES.filter(({ member }) => isJsonObject(spec[member]))
  if (given.length === 0) return [required(path, 'must specify a volume type')]
  return given.flatMap(({ member, shown = member, rejectedAs = member, never, check }, i) =>
    i > 0 && never === undefined
      ? [forbiddenField(`${path}.${rejectedAs}`, 'may not specify more than 1 volume type')]
      : check(spec[member] as JsonObject, `${path}.${shown}`, { name, spec, path }),
  )
}
