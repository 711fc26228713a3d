/** Rules of ControllerRevisions. Recorded from kube-apiserver 1.31. */

import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { goJson } from '../../schema/go-json'
import { invalidPrinted, required } from '../../validation/field-errors'
import { notNegative } from '../../validation/numbers'

interface ControllerRevision extends KubeObject {
  revision?: number
  data?: unknown
}

export const controllerRevisionStrategy: Strategy = {
  validate: (object) => notNegative('revision', (object as ControllerRevision).revision),
  validateNew: (object) => dataErrors((object as ControllerRevision).data),
  validateUpdate: (object, old) =>
    textOf(object as ControllerRevision) === textOf(old as ControllerRevision)
      ? []
      : [invalidData((object as ControllerRevision).data)],
}

/** Raw JSON: the order of members counts. */
const textOf = ({ data }: ControllerRevision): string | undefined => JSON.stringify(data)

function dataErrors(data: unknown): FieldError[] {
  if (data === undefined || data === null) return [required('data', 'data is mandatory')]
  return typeof data === 'object' && !Array.isArray(data)
    ? []
    : [required('data', 'data must be a valid JSON object')]
}

/** Go prints raw bytes. */
function invalidData(data: unknown): FieldError {
  const given = data !== undefined && data !== null
  const bytes = [...new TextEncoder().encode(JSON.stringify(data))].map(
    (byte) => `0x${byte.toString(16)}`,
  )
  const raw = given ? `[]uint8{${bytes.join(', ')}}` : '[]uint8(nil)'
  const shown = `runtime.RawExtension{Raw:${raw}, Object:runtime.Object(nil)}`
  const json = goJson(given ? data : null)
  return invalidPrinted('data', { go: shown, json }, 'field is immutable')
}
