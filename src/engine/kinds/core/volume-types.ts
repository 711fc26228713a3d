/** Recorded from kube-apiserver 1.31; others from k8s.io/kubernetes, pkg/apis/core/validation. */

import { append } from '../../core/lists'
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { errorsOfItems, invalidValue, notSupported, required } from '../../validation/field-errors'
import { invalidList } from '../../validation/go-literal'
import { dnsLabelProblems } from '../../validation/names'
import { inRange, rangeText } from '../../validation/numbers'
import { backstepErrors } from '../../validation/paths'

export type VolumeCheck = (source: JsonObject, path: string) => FieldError[]

/** Empty if unset. */
export const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const texts = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(text) : [])

/** Not empty. */
export const needs =
  (...members: string[]): VolumeCheck =>
  (source, path) =>
    errorsOfItems(members, (member) =>
      text(source[member]) === '' ? [required(`${path}.${member}`)] : [],
    )

/** @param members required of `name` and `namespace` */
export const secretNeeds =
  (...members: string[]): VolumeCheck =>
  ({ secretRef }, path) =>
    isJsonObject(secretRef) ? needs(...members)(secretRef, `${path}.secretRef`) : []

export const all =
  (...checks: VolumeCheck[]): VolumeCheck =>
  (source, path) =>
    checks.flatMap((check) => check(source, path))

const list =
  (member: string): VolumeCheck =>
  (source, path) =>
    texts(source[member]).length === 0 ? [required(`${path}.${member}`)] : []

const partition: VolumeCheck = (source, path) => {
  const number = typeof source.partition === 'number' ? source.partition : 0
  return number < 0 || number > 255
    ? [invalidValue(`${path}.partition`, number, rangeText(1, 255))]
    : []
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

const hostPath: VolumeCheck = (source, path) => {
  if (text(source.path) === '') return [required(`${path}.path`)]
  const type = text(source.type)
  const errors = backstepErrors(`${path}.path`, text(source.path))
  return HOST_PATH_TYPES.includes(type)
    ? errors
    : [...errors, notSupported(`${path}.type`, type, HOST_PATH_TYPES)]
}

const nfs: VolumeCheck = (source, path) => {
  const errors = needs('server', 'path')(source, path)
  return text(source.path).startsWith('/')
    ? errors
    : [...errors, invalidValue(`${path}.path`, text(source.path), 'must be an absolute path')]
}

const flocker: VolumeCheck = (source, path) => {
  const [name, uuid] = [text(source.datasetName), text(source.datasetUUID)]
  const errors: FieldError[] = []
  if (name === '' && uuid === '')
    errors.push(required(path, 'one of datasetName and datasetUUID is required'))
  if (name !== '' && uuid !== '')
    errors.push(
      invalidValue(
        path,
        'resource',
        'datasetName and datasetUUID can not be specified simultaneously',
      ),
    )
  if (name.includes('/'))
    errors.push(invalidValue(`${path}.datasetName`, name, "must not contain '/'"))
  return errors
}

const HOST_AND_PORT = /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/
const PAIRS = 'must be a host:port pair or multiple pairs separated by commas'
const LONGEST_TENANT = 64

const quobyte: VolumeCheck = (source, path) => {
  const registry = text(source.registry)
  const errors: FieldError[] = []
  if (registry === '') errors.push(required(`${path}.registry`, PAIRS))
  else if (text(source.tenant).length > LONGEST_TENANT)
    errors.push(
      required(
        `${path}.tenant`,
        `must be a UUID and may not exceed a length of ${LONGEST_TENANT} characters`,
      ),
    )
  else {
    const wrong = registry.split(',').filter((pair) => !HOST_AND_PORT.test(pair))
    append(
      errors,
      wrong.map(() => invalidValue(`${path}.registry`, registry, PAIRS)),
    )
  }
  return [...errors, ...needs('volume')(source, path)]
}

const fc: VolumeCheck = (source, path) => {
  const [names, ids] = [texts(source.targetWWNs), texts(source.wwids)]
  const field = `${path}.targetWWNs`
  const errors: FieldError[] = []
  if (names.length === 0 && ids.length === 0)
    errors.push(required(field, 'must specify either targetWWNs or wwids, but not both'))
  if (names.length > 0 && ids.length > 0)
    errors.push(
      invalidList(field, names, 'targetWWNs and wwids can not be specified simultaneously'),
    )
  if (names.length === 0) return errors
  if (typeof source.lun !== 'number')
    return [...errors, required(`${path}.lun`, 'lun is required if targetWWNs is specified')]
  return [...errors, ...inRange(`${path}.lun`, source.lun, 0, 255)]
}

/** Kubernetes domains are reserved. */
const flexVolume: VolumeCheck = (source, path) => {
  const names = isJsonObject(source.options) ? Object.keys(source.options).sort() : []
  const reserved = names.filter((name) =>
    /(?:^|\.)(?:kubernetes|k8s)\.io$/i.test(name.split('/')[0] ?? ''),
  )
  return [
    ...needs('driver')(source, path),
    ...reserved.map((name) =>
      invalidValue(
        `${path}.options[${name}]`,
        name,
        'kubernetes.io and k8s.io namespaces are reserved',
      ),
    ),
  ]
}

const CACHING = ['None', 'ReadOnly', 'ReadWrite']
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared']
const MANAGED_DISK =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

const azureDisk: VolumeCheck = (source, path) => {
  const { cachingMode: caching, kind } = source
  const address = text(source.diskURI)
  const errors = needs('diskName', 'diskURI')(source, path)
  if (typeof caching === 'string' && !CACHING.includes(caching))
    errors.push(notSupported(`${path}.cachingMode`, caching, CACHING))
  if (typeof kind !== 'string') return errors
  if (!DISK_KINDS.includes(kind)) errors.push(notSupported(`${path}.kind`, kind, DISK_KINDS))
  const [begin, form] =
    kind === 'Managed' ? ['/subscriptions/', MANAGED_DISK] : ['https://', BLOB_DISK]
  return address.startsWith(begin)
    ? errors
    : [...errors, notSupported(`${path}.diskURI`, address, [form])]
}

const storageos: VolumeCheck = (source, path) => {
  const label = (member: string) =>
    dnsLabelProblems(text(source[member])).map((problem) =>
      invalidValue(`${path}.${member}`, text(source[member]), problem),
    )
  return [
    ...(text(source.volumeName) === '' ? [required(`${path}.volumeName`)] : label('volumeName')),
    ...(text(source.volumeNamespace) === '' ? [] : label('volumeNamespace')),
  ]
}

export const VOLUME_TYPES = {
  hostPath,
  gcePersistentDisk: all(needs('pdName'), partition),
  awsElasticBlockStore: all(needs('volumeID'), partition),
  nfs,
  glusterfs: needs('endpoints', 'path'),
  flocker,
  rbd: all(list('monitors'), needs('image')),
  cinder: needs('volumeID'),
  cephfs: list('monitors'),
  quobyte,
  fc,
  flexVolume,
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk,
  storageos,
  scaleIO: needs('gateway', 'system', 'volumeName'),
} satisfies Record<string, VolumeCheck>
