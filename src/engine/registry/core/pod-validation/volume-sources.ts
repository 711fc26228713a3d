/** What each sort of volume asks for, in the order in which they are looked at (rules and texts recorded; the rest from public documentation). */
import type { FieldError } from '../../../http/status'
import { isJsonObject, type Json, type JsonObject } from '../../../object'
import { compareQuantities, parseQuantity, ZERO_QUANTITY } from '../../../schema/quantity'
import { errorsOfItems, forbiddenField, invalidValue, notSupported, required, tooLong } from '../../field-errors'
import { claimSpecErrors } from '../../rules/claim-spec'
import { labelErrors } from '../../rules/label-selectors'
import { dnsSubdomainProblems } from '../../rules/names'
import { inRange, rangeText } from '../../rules/numbers'
import { backstepErrors, unreservedPathErrors } from '../../rules/paths'
import type { FieldRef, ResourceFieldRef, Volume } from '../pod-types'
import { fieldRefErrors, resourceFieldErrors } from './env'

export interface VolumeSource {
  member: string
  /** How paths in messages call it, if not by its name. */
  shown?: string
  check(source: JsonObject, path: string, volume: Volume): FieldError[]
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const isEmptyList = (value: Json | undefined): boolean => !Array.isArray(value) || value.length === 0

/** Texts that must not be empty. */
const needs =
  (...members: string[]) =>
  (source: JsonObject, path: string): FieldError[] =>
    errorsOfItems(members, (member) => (text(source[member]) === '' ? [required(`${path}.${member}`)] : []))

const MODE_TEXT = 'must be a number between 0 and 0777 (octal), both inclusive'

function modeErrors(field: string, mode: Json | undefined): FieldError[] {
  return typeof mode === 'number' && (mode < 0 || mode > 0o777) ? [invalidValue(field, mode, MODE_TEXT)] : []
}

function partition(source: JsonObject, path: string): FieldError[] {
  const number = typeof source.partition === 'number' ? source.partition : 0
  return number < 0 || number > 255 ? [invalidValue(`${path}.partition`, number, rangeText(1, 255))] : []
}

function keyToPathErrors(item: JsonObject, path: string): FieldError[] {
  return [
    ...needsKeyAndPath(item, path),
    ...unreservedPathErrors(`${path}.path`, text(item.path)),
    ...modeErrors(`${path}.mode`, item.mode),
  ]
}

const needsKeyAndPath = needs('key', 'path')

const itemErrors = (source: JsonObject, path: string): FieldError[] =>
  errorsOfItems(objects(source.items), (item, i) => keyToPathErrors(item, `${path}.items[${i}]`))

/** A secret or config map by the member that names it. */
const files =
  (member: string) =>
  (source: JsonObject, path: string): FieldError[] => [
    ...needs(member)(source, path),
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...itemErrors(source, path),
  ]

const VOLUME_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid']

const needsPath = needs('path')
const needsName = needs('name')

/** @param path the volume's: the real server leaves the entry out */
function downwardFileErrors(file: JsonObject, path: string): FieldError[] {
  const errors = needsPath(file, path)
  errors.push(...unreservedPathErrors(`${path}.path`, text(file.path)))
  if (isJsonObject(file.fieldRef)) {
    errors.push(...fieldRefErrors(file.fieldRef as FieldRef, VOLUME_FIELDS, `${path}.fieldRef`))
    if (isJsonObject(file.resourceFieldRef))
      errors.push(invalidValue(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'))
  } else if (isJsonObject(file.resourceFieldRef)) {
    errors.push(...resourceFieldErrors(file.resourceFieldRef as ResourceFieldRef, true, `${path}.resourceFieldRef`))
  } else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'))
  return [...errors, ...modeErrors(`${path}.mode`, file.mode)]
}

const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket']

const MIN_TOKEN_SECONDS = 600

function tokenErrors(token: JsonObject, at: string, path: string): FieldError[] {
  const seconds = typeof token.expirationSeconds === 'number' ? token.expirationSeconds : 0
  const errors: FieldError[] = []
  if (seconds < MIN_TOKEN_SECONDS)
    errors.push(invalidValue(`${at}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'))
  if (seconds > 2 ** 32)
    errors.push(invalidValue(`${at}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'))
  if (text(token.path) === '') errors.push(required(`${path}.path`))
  else errors.push(...unreservedPathErrors(`${path}.path`, text(token.path)))
  return errors
}

const PROJECTED = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken']

/** The sources of one volume share its files: no path twice. */
function projectedErrors(projected: JsonObject, path: string): FieldError[] {
  const taken = new Set<string>()
  const take = (file: string, shown: string): FieldError[] => {
    if (file === '') return []
    if (taken.has(file)) return [invalidValue(path, shown, 'conflicting duplicate paths')]
    taken.add(file)
    return []
  }
  const errors = modeErrors(`${path}.defaultMode`, projected.defaultMode)
  for (const [i, source] of objects(projected.sources).entries()) {
    const at = `${path}.sources[${i}]`
    const given = PROJECTED.filter((member) => isJsonObject(source[member]))
    for (const [j, member] of given.entries()) {
      const part = source[member] as JsonObject
      if (j > 0) errors.push(forbiddenField(`${at}.${member}`, 'may not specify more than 1 volume type per source'))
      else if (member === 'serviceAccountToken') {
        errors.push(...tokenErrors(part, `${at}.${member}`, path))
      } else if (member === 'downwardAPI') {
        for (const file of objects(part.items))
          errors.push(...downwardFileErrors(file, `${at}.${member}`), ...take(text(file.path), text(file.path)))
      } else {
        errors.push(...needsName(part, `${at}.${member}`))
        for (const [k, item] of objects(part.items).entries())
          errors.push(...keyToPathErrors(item, `${at}.${member}.items[${k}]`), ...take(text(item.path), text(part.name)))
      }
    }
  }
  return errors
}

function lunErrors(source: JsonObject, path: string): FieldError[] {
  return typeof source.lun === 'number' ? inRange(`${path}.lun`, source.lun, 0, 255) : []
}

function iscsiErrors(source: JsonObject, path: string): FieldError[] {
  const name = text(source.iqn)
  const errors = needs('targetPortal', 'iqn')(source, path)
  if (name !== '' && !/^(?:iqn|eui|naa)/.test(name))
    errors.push(invalidValue(`${path}.iqn`, name, 'must be valid format starting with iqn, eui, or naa'))
  errors.push(...lunErrors(source, path))
  if ((source.chapAuthDiscovery === true || source.chapAuthSession === true) && !isJsonObject(source.secretRef))
    errors.push(required(`${path}.secretRef`))
  return errors
}

function fcErrors(source: JsonObject, path: string): FieldError[] {
  const [names, ids] = [!isEmptyList(source.targetWWNs), !isEmptyList(source.wwids)]
  const errors: FieldError[] = []
  if (!names && !ids) errors.push(required(`${path}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both'))
  if (names && ids)
    errors.push(invalidValue(`${path}.targetWWNs`, source.targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'))
  if (names && typeof source.lun !== 'number') errors.push(required(`${path}.lun`, 'lun is required if targetWWNs is specified'))
  return names ? [...errors, ...lunErrors(source, path)] : errors
}

function csiErrors(source: JsonObject, path: string): FieldError[] {
  const driver = text(source.driver)
  const errors = needs('driver')(source, path)
  if (driver.length > 63) errors.push(tooLong(`${path}.driver`, 63))
  errors.push(...dnsSubdomainProblems(driver.toLowerCase()).map((problem) => invalidValue(`${path}.driver`, driver, problem)))
  if (isJsonObject(source.nodePublishSecretRef) && text(source.nodePublishSecretRef.name) === '')
    errors.push(required(`${path}.nodePublishSecretRef.name`))
  return errors
}

/** Of a claim's metadata a template may state labels and annotations. */
const NOT_IN_TEMPLATE = ['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion', 'ownerReferences', 'finalizers']

function ephemeralErrors(source: JsonObject, path: string): FieldError[] {
  const template = source.volumeClaimTemplate
  if (!isJsonObject(template)) return [required(`${path}.volumeClaimTemplate`)]
  const at = `${path}.volumeClaimTemplate`
  const metadata = isJsonObject(template.metadata) ? template.metadata : {}
  const set = NOT_IN_TEMPLATE.filter((member) => Boolean(metadata[member]))
  return [
    ...set.map((member) => forbiddenField(`${at}.metadata.${member}`, 'cannot be set')),
    ...labelErrors(metadata.labels as Record<string, string> | undefined, `${at}.metadata.labels`),
    ...claimSpecErrors(isJsonObject(template.spec) ? template.spec : {}, `${at}.spec`),
  ]
}

function flockerErrors(source: JsonObject, path: string): FieldError[] {
  const [name, uuid] = [text(source.datasetName), text(source.datasetUUID)]
  if (name === '' && uuid === '') return [required(path, 'one of datasetName and datasetUUID is required')]
  if (name !== '' && uuid !== '') return [invalidValue(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
  return name.includes('/') ? [invalidValue(`${path}.datasetName`, name, "must not contain '/'")] : []
}

const list =
  (member: string) =>
  (source: JsonObject, path: string): FieldError[] =>
    isEmptyList(source[member]) ? [required(`${path}.${member}`)] : []

export const VOLUME_SOURCES: VolumeSource[] = [
  {
    member: 'emptyDir',
    check({ sizeLimit }, path) {
      if (typeof sizeLimit !== 'string' || compareQuantities(parseQuantity(sizeLimit), ZERO_QUANTITY) >= 0) return []
      return [forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
    },
  },
  {
    member: 'hostPath',
    check(source, path) {
      const errors = needs('path')(source, path)
      if (errors.length > 0) return errors
      const type = source.type ?? ''
      return [
        ...backstepErrors(`${path}.path`, text(source.path)),
        ...(HOST_PATH_TYPES.includes(text(type)) ? [] : [notSupported(`${path}.type`, type, HOST_PATH_TYPES)]),
      ]
    },
  },
  {
    member: 'gitRepo',
    check: (source, path) => [...needs('repository')(source, path), ...unreservedPathErrors(`${path}.directory`, text(source.directory))],
  },
  {
    member: 'gcePersistentDisk',
    shown: 'persistentDisk',
    check: (source, path) => [...needs('pdName')(source, path), ...partition(source, path)],
  },
  { member: 'awsElasticBlockStore', check: (source, path) => [...needs('volumeID')(source, path), ...partition(source, path)] },
  { member: 'secret', check: files('secretName') },
  {
    member: 'nfs',
    check(source, path) {
      const errors = needs('server', 'path')(source, path)
      if (!text(source.path).startsWith('/')) errors.push(invalidValue(`${path}.path`, text(source.path), 'must be an absolute path'))
      return errors
    },
  },
  { member: 'iscsi', check: iscsiErrors },
  { member: 'glusterfs', check: needs('endpoints', 'path') },
  { member: 'flocker', check: flockerErrors },
  { member: 'persistentVolumeClaim', check: needs('claimName') },
  { member: 'rbd', check: (source, path) => [...list('monitors')(source, path), ...needs('image')(source, path)] },
  { member: 'cinder', check: needs('volumeID') },
  { member: 'cephfs', check: list('monitors') },
  { member: 'quobyte', check: needs('registry', 'volume') },
  {
    member: 'downwardAPI',
    check: (source, path) => [
      ...modeErrors(`${path}.defaultMode`, source.defaultMode),
      ...errorsOfItems(objects(source.items), (file) => downwardFileErrors(file, path)),
    ],
  },
  { member: 'fc', check: fcErrors },
  { member: 'flexVolume', check: needs('driver') },
  { member: 'configMap', check: files('name') },
  { member: 'azureFile', check: needs('secretName', 'shareName') },
  { member: 'vsphereVolume', check: needs('volumePath') },
  { member: 'photonPersistentDisk', check: needs('pdID') },
  { member: 'portworxVolume', check: needs('volumeID') },
  { member: 'azureDisk', check: needs('diskName', 'diskURI') },
  { member: 'storageos', check: needs('volumeName') },
  { member: 'projected', check: projectedErrors },
  { member: 'scaleIO', check: needs('gateway', 'system', 'volumeName') },
  { member: 'csi', check: csiErrors },
  { member: 'ephemeral', check: ephemeralErrors },
]
