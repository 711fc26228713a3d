/**
 * Wrong types get the messages of Go's decoder (k8s.io/api, packages admission and apiextensions).
 */
import { builtinModel } from '../schema/builtin'
import { FLAG, list, struct, TEXT } from '../schema/configuration-file'
import type { StructType, TypeNode } from '../schema/model'
import { statusType } from './failures'

const ANYTHING: TypeNode = { type: 'any', name: 'runtime.RawExtension' }
const UID: TypeNode = { type: 'scalar', format: 'string', goType: 'types.UID' }
const BYTES: TypeNode = { type: 'scalar', format: 'bytes', goType: '[]uint8' }
const TEXTS: TypeNode = { type: 'map', goType: 'map[string]string', values: TEXT, atomic: false }

const text = (goType: string): TypeNode => ({ type: 'scalar', format: 'string', goType })
const names = (goType: string, last: string): StructType =>
  struct(goType, { group: TEXT, version: TEXT, [last]: TEXT })

/** Versions differ only in type names. */
type ReviewTypes = (version: string) => StructType

export const ADMISSION_REVIEW: ReviewTypes = cached((version) =>
  struct(`${version}.AdmissionReview`, {
    kind: TEXT,
    apiVersion: TEXT,
    request: struct(
      `${version}.AdmissionRequest`,
      {
        uid: UID,
        kind: names('v1.GroupVersionKind', 'kind'),
        resource: names('v1.GroupVersionResource', 'resource'),
        subResource: TEXT,
        requestKind: names('v1.GroupVersionKind', 'kind'),
        requestResource: names('v1.GroupVersionResource', 'resource'),
        requestSubResource: TEXT,
        name: TEXT,
        namespace: TEXT,
        operation: text(`${version}.Operation`),
        userInfo: builtinModel().byName('io.k8s.api.authentication.v1.UserInfo') as StructType,
        object: ANYTHING,
        oldObject: ANYTHING,
        dryRun: FLAG,
        options: ANYTHING,
      },
      ['dryRun'],
    ),
    response: struct(
      `${version}.AdmissionResponse`,
      {
        uid: UID,
        allowed: FLAG,
        status: statusType(),
        patch: BYTES,
        patchType: text(`${version}.PatchType`),
        auditAnnotations: TEXTS,
        warnings: list('[]string', TEXT),
      },
      ['patchType'],
    ),
  }),
)

export const CONVERSION_REVIEW: ReviewTypes = cached((version) =>
  struct(`${version}.ConversionReview`, {
    kind: TEXT,
    apiVersion: TEXT,
    request: struct(`${version}.ConversionRequest`, {
      uid: UID,
      desiredAPIVersion: TEXT,
      objects: list('[]runtime.RawExtension', ANYTHING),
    }),
    response: struct(`${version}.ConversionResponse`, {
      uid: UID,
      convertedObjects: list('[]runtime.RawExtension', ANYTHING),
      result: statusType(),
    }),
  }),
)

/** Most servers call no webhook. */
function cached(make: ReviewTypes): ReviewTypes {
  const types = new Map<string, StructType>()
  return (version) => {
    const type = types.get(version) ?? make(version)
    types.set(version, type)
    return type
  }
}
