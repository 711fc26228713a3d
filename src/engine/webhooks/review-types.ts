/**
 * Schemas of review responses, so that wrong types are rejected with the messages of Go's decoder
 * (k8s.io/api, packages admission and apiextensions).
 */
import { FLAG, list, struct, TEXT } from '../schema/configuration-file'
import type { StructType, TypeNode } from '../schema/model'
import { statusType } from './failures'

const ANYTHING: TypeNode = { type: 'any', name: 'runtime.RawExtension' }
const UID: TypeNode = { type: 'scalar', format: 'string', goType: 'types.UID' }
const BYTES: TypeNode = { type: 'scalar', format: 'bytes', goType: '[]uint8' }
const TEXTS: TypeNode = { type: 'map', goType: 'map[string]string', values: TEXT, atomic: false }

/** `AdmissionReview` of any version: their members are the same. */
export const ADMISSION_REVIEW = lazily(() =>
  struct('v1.AdmissionReview', {
    kind: TEXT,
    apiVersion: TEXT,
    response: struct(
      'v1.AdmissionResponse',
      {
        uid: UID,
        allowed: FLAG,
        status: statusType(),
        patch: BYTES,
        patchType: TEXT,
        auditAnnotations: TEXTS,
        warnings: list('[]string', TEXT),
      },
      ['patchType'],
    ),
  }),
)

/** `ConversionReview` of any version. */
export const CONVERSION_REVIEW = lazily(() =>
  struct('v1.ConversionReview', {
    kind: TEXT,
    apiVersion: TEXT,
    response: struct('v1.ConversionResponse', {
      uid: UID,
      convertedObjects: list('[]runtime.RawExtension', ANYTHING),
      result: statusType(),
    }),
  }),
)

/** Built on first use: most servers call no webhook. */
function lazily(make: () => StructType): () => StructType {
  let made: StructType | undefined
  return () => {
    made ??= make()
    return made
  }
}
