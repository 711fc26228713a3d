/** Recorded from kube-apiserver 1.31; others from k8s.io/kubernetes, pkg/apis/core/validation. */

import { append } from '../../../core/lists'
import { isJsonObject, type Json, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { goQuote } from '../../../schema/go-text'
import { compareQuantities, parseQuantity, ZERO_QUANTITY } from '../../../schema/quantity'
import { claimSpecErrors } from '../../../validation/claim-spec'
import {
  errorsOfItems,
  forbiddenField,
  invalidValue,
  required,
} from '../../../validation/field-errors'
import { dnsSubdomainProblems } from '../../../validation/names'
import { descendingPathErrors, unreservedPathErrors } from '../../../validation/paths'
import { templateMetadataErrors } from '../../../validation/template-metadata'
import { driverNameErrors } from '../../../validation/volumes'
import { iscsiErrors } from '../iscsi'
import type { FieldRef, ResourceFieldRef } from '../pod-types'
import { all, needs, secretNeeds, text, VOLUME_TYPES } from '../volume-types'
import { certificateProjectionErrors } from './certificate-projection'
import { choiceErrors, PULL_POLICIES } from './choices'
import { fieldRefErrors, resourceFieldErrors } from './env'
import { trustBundleErrors } from './trust-bundle-projection'

export interface PlacedVolume {
  name: string
  path: string
  /** Undefined in templates. */
  pod: string | undefined
}

export interface VolumeSource {
  member: string
  /** In paths of nested errors and of a second source, instead of the member. */
  shown?: string
  rejectedAs?: string
  check(source: JsonObject, path: string, volume: PlacedVolume): FieldError[]
}

const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

const MODE_TEXT = 'must be a number between 0 and 0777 (octal), both inclusive'

function modeErrors(field: string, mode: Json | undefined): FieldError[] {
  return typeof mode === 'number' && (mode < 0 || mode > 0o777)
    ? [invalidValue(field, mode, MODE_TEXT)]
    : []
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

/** @param member has the name of the secret or config map */
const files =
  (member: string) =>
  (source: JsonObject, path: string): FieldError[] => [
    ...needs(member)(source, path),
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...itemErrors(source, path),
  ]

const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]

const needsPath = needs('path')
const needsName = needs('name')

/** @param path without index, as in kube-apiserver */
function downwardFileErrors(file: JsonObject, path: string): FieldError[] {
  const errors = needsPath(file, path)
  append(errors, unreservedPathErrors(`${path}.path`, text(file.path)))
  if (isJsonObject(file.fieldRef)) {
    append(errors, fieldRefErrors(file.fieldRef as FieldRef, VOLUME_FIELDS, `${path}.fieldRef`))
    if (isJsonObject(file.resourceFieldRef))
      errors.push(
        invalidValue(
          path,
          'resource',
          'fieldRef and resourceFieldRef can not be specified simultaneously',
        ),
      )
  } else if (isJsonObject(file.resourceFieldRef)) {
    append(
      errors,
      resourceFieldErrors(
        file.resourceFieldRef as ResourceFieldRef,
        true,
        `${path}.resourceFieldRef`,
      ),
    )
  } else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'))
  return [...errors, ...modeErrors(`${path}.mode`, file.mode)]
}

const MIN_TOKEN_SECONDS = 600

function tokenErrors(token: JsonObject, at: string, path: string): FieldError[] {
  const seconds = typeof token.expirationSeconds === 'number' ? token.expirationSeconds : 0
  const errors: FieldError[] = []
  if (seconds < MIN_TOKEN_SECONDS)
    errors.push(
      invalidValue(
        `${at}.expirationSeconds`,
        seconds,
        'may not specify a duration less than 10 minutes',
      ),
    )
  if (seconds > 2 ** 32)
    errors.push(
      invalidValue(
        `${at}.expirationSeconds`,
        seconds,
        'may not specify a duration larger than 2^32 seconds',
      ),
    )
  if (text(token.path) === '') errors.push(required(`${path}.path`))
  else append(errors, unreservedPathErrors(`${path}.path`, text(token.path)))
  return errors
}

const PROJECTED = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
]

/** Sources share a directory: paths are unique. */
function projectedErrors(projected: JsonObject, path: string): FieldError[] {
  const taken = new Set<string>()
  const take = (file: string, shown: string, takesEmpty = false): FieldError[] => {
    if (file === '' && !takesEmpty) return []
    if (taken.has(file)) return [invalidValue(path, shown, 'conflicting duplicate paths')]
    taken.add(file)
    return []
  }
  const errors = modeErrors(`${path}.defaultMode`, projected.defaultMode)
  for (const [i, source] of objects(projected.sources).entries()) {
    const at = `${path}.sources[${i}]`
    const given = PROJECTED.filter((member) => isJsonObject(source[member]))
    for (const member of given) {
      const part = source[member] as JsonObject
      if (member === 'serviceAccountToken') {
        append(errors, tokenErrors(part, `${at}.${member}`, path))
      } else if (member === 'clusterTrustBundle') {
        append(
          errors,
          trustBundleErrors(part, `${at}.${member}`),
          take(text(part.path), text(part.path), true),
        )
      } else if (member === 'podCertificate') {
        append(errors, certificateProjectionErrors(part, `${at}.${member}`, take))
      } else if (member === 'downwardAPI') {
        for (const file of objects(part.items))
          append(
            errors,
            downwardFileErrors(file, `${at}.${member}`),
            take(text(file.path), text(file.path)),
          )
      } else {
        append(errors, needsName(part, `${at}.${member}`))
        for (const [k, item] of objects(part.items).entries())
          append(
            errors,
            keyToPathErrors(item, `${at}.${member}.items[${k}]`),
            take(text(item.path), text(part.name)),
          )
      }
    }
    if (given.length > 1)
      errors.push(forbiddenField(at, 'may not specify more than 1 volume type per source'))
  }
  return errors
}

function csiErrors(source: JsonObject, path: string): FieldError[] {
  const { driver, nodePublishSecretRef: secret } = source
  const errors = driverNameErrors(`${path}.driver`, text(driver))
  if (!isJsonObject(secret)) return errors
  const name = text(secret.name)
  if (name === '') return [...errors, required(`${path}.nodePublishSecretRef.name`)]
  return [
    ...errors,
    ...dnsSubdomainProblems(name).map((problem) => invalidValue(`${path}.name`, name, problem)),
  ]
}

/** The claim of an ephemeral volume. */
export const claimNameOf = (pod: string, volume: string): string => `${pod}-${volume}`

function ephemeralErrors(source: JsonObject, path: string, volume: PlacedVolume): FieldError[] {
  const errors = isJsonObject(source.volumeClaimTemplate)
    ? claimTemplateErrors(source.volumeClaimTemplate, `${path}.volumeClaimTemplate`)
    : [required(`${path}.volumeClaimTemplate`)]
  const { pod, name } = volume
  if (!pod || name === '') return errors
  const claim = claimNameOf(pod, name)
  const problems = dnsSubdomainProblems(claim)
  return [
    ...errors,
    ...problems.map((problem) =>
      invalidValue(`${volume.path}.name`, name, `PVC name ${goQuote(claim)}: ${problem}`),
    ),
  ]
}

function claimTemplateErrors({ metadata, spec }: JsonObject, path: string): FieldError[] {
  return [
    ...templateMetadataErrors(isJsonObject(metadata) ? metadata : {}, `${path}.metadata`),
    ...claimSpecErrors(isJsonObject(spec) ? spec : {}, `${path}.spec`),
  ]
}

function emptyDirErrors({ sizeLimit }: JsonObject, path: string): FieldError[] {
  if (
    typeof sizeLimit !== 'string' ||
    compareQuantities(parseQuantity(sizeLimit), ZERO_QUANTITY) >= 0
  )
    return []
  return [forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
}

const downwardErrors = (source: JsonObject, path: string): FieldError[] => [
  ...modeErrors(`${path}.defaultMode`, source.defaultMode),
  ...errorsOfItems(objects(source.items), (file) => downwardFileErrors(file, path)),
]

const gitErrors = (source: JsonObject, path: string): FieldError[] => [
  ...needs('repository')(source, path),
  ...descendingPathErrors(`${path}.directory`, text(source.directory)),
]

/** Templates may omit the image. */
const imageErrors = (
  { reference, pullPolicy }: JsonObject,
  path: string,
  { pod }: PlacedVolume,
): FieldError[] => [
  ...(pod !== undefined && text(reference) === '' ? [required(`${path}.reference`)] : []),
  ...choiceErrors(text(pullPolicy), PULL_POLICIES, `${path}.pullPolicy`),
]

const common = (member: keyof typeof VOLUME_TYPES): VolumeSource => ({
  member,
  check: VOLUME_TYPES[member],
})

export const VOLUME_SOURCES: VolumeSource[] = [
  { member: 'emptyDir', check: emptyDirErrors },
  common('hostPath'),
  { member: 'gitRepo', check: gitErrors },
  { ...common('gcePersistentDisk'), shown: 'persistentDisk' },
  common('awsElasticBlockStore'),
  { member: 'secret', check: files('secretName') },
  common('nfs'),
  { member: 'iscsi', check: iscsiErrors },
  common('glusterfs'),
  common('flocker'),
  { member: 'persistentVolumeClaim', check: needs('claimName') },
  common('rbd'),
  { member: 'cinder', check: all(VOLUME_TYPES.cinder, secretNeeds('name')) },
  { ...common('cephfs'), rejectedAs: 'cephFS' },
  common('quobyte'),
  { member: 'downwardAPI', rejectedAs: 'downwarAPI', check: downwardErrors },
  common('fc'),
  common('flexVolume'),
  { member: 'configMap', check: files('name') },
  common('azureFile'),
  common('vsphereVolume'),
  common('photonPersistentDisk'),
  common('portworxVolume'),
  common('azureDisk'),
  { member: 'storageos', check: all(VOLUME_TYPES.storageos, secretNeeds('name')) },
  { member: 'projected', check: projectedErrors },
  common('scaleIO'),
  { member: 'csi', check: csiErrors },
  { member: 'ephemeral', check: ephemeralErrors },
  { member: 'image', check: imageErrors },
]
