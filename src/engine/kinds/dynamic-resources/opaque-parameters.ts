/** Driver JSON that kube-apiserver does not interpret. */

import { isJsonObject } from '../../core/object'
import { invalidValue, overlong, required } from '../../validation/field-errors'
import { byteLength } from '../../validation/names'
import type { Findings } from './findings'

/** Bytes. */
const LONGEST = 10 * 1024

export function addParameterErrors(findings: Findings, value: unknown, field: string): void {
  if (value === undefined || value === null) findings.add(required(field))
  else if (byteLength(JSON.stringify(value)) > LONGEST) findings.add(overlong(field, LONGEST))
  else if (!isJsonObject(value))
    findings.add(invalidValue(field, '<value omitted>', 'must be a valid JSON object'))
}
