/** Controller revisions: a state of a workload that never changes (rules and texts recorded). */
import type { FieldError } from '../../http/status'
import { equalJson, type KubeObject } from '../../object'
import { required } from '../field-errors'
import { notNegative } from '../rules/numbers'
import type { Strategy } from '../strategy'

interface ControllerRevision extends KubeObject {
  revision?: number
  data?: unknown
}

export const controllerRevisionStrategy: Strategy = {
  validate: (object) => notNegative('revision', (object as ControllerRevision).revision),
  // An update only asks whether the data is the same (recorded).
  validateNew: (object) => dataErrors((object as ControllerRevision).data),
  validateUpdate: (object, old) =>
    equalJson((object as ControllerRevision).data, (old as ControllerRevision).data)
      ? []
      : [invalidData((object as ControllerRevision).data)],
}

function dataErrors(data: unknown): FieldError[] {
  if (data === undefined || data === null) return [required('data', 'data is mandatory')]
  return typeof data === 'object' && !Array.isArray(data) ? [] : [required('data', 'data must be a valid JSON object')]
}

/** Shown as the bytes that it came in. */
function invalidData(data: unknown): FieldError {
  const bytes = [...new TextEncoder().encode(JSON.stringify(data))].map((byte) => `0x${byte.toString(16)}`)
  const raw = data === undefined || data === null ? '(nil)' : `{${bytes.join(', ')}}`
  const shown = `runtime.RawExtension{Raw:[]uint8${raw}, Object:runtime.Object(nil)}`
  return { field: 'data', reason: 'FieldValueInvalid', detail: `Invalid value: ${shown}: field is immutable` }
}
