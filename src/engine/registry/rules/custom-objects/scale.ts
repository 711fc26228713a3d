/** The numbers that `scale` shows must be numbers of replicas, whatever the schema says (recorded: apply-custom, "cr-scalars"). */
import type { FieldError } from '../../../http/status'
import { isJsonObject, type Json, type JsonObject } from '../../../object'
import { givenNumber } from '../../../schema/given-numbers'
import { goFormat } from '../../../schema/go-text'
import { invalidValue } from '../../field-errors'

const MAX_REPLICAS = 2_147_483_647

/** The value at a path `.spec.replicas`. */
export function valueAt(object: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = object
  for (const member of membersOf(path)) value = isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined
  return value
}

export function membersOf(path: string): string[] {
  return path.split('.').filter((member) => member !== '')
}

/** @param paths where the object keeps numbers of replicas */
export function replicasErrors(object: JsonObject, paths: readonly string[]): FieldError[] {
  return paths.flatMap((path) => {
    const value = valueAt(object, path)
    if (value === undefined) return []
    if (typeof value !== 'number' || !Number.isInteger(value)) return [invalidValue(path, 0, accessError(path, value))]
    if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')]
    return value > MAX_REPLICAS ? [tooMany(object, path, value)] : []
  })
}

function tooMany(object: JsonObject, path: string, value: number): FieldError {
  const [last = '', ...holding] = membersOf(path).reverse()
  const holder = valueAt(object, holding.reverse().join('.'))
  const shown = (isJsonObject(holder) ? givenNumber(holder, last) : undefined) ?? String(value)
  const why = `should be less than or equal to ${MAX_REPLICAS}`
  return { field: path, reason: 'FieldValueInvalid', detail: `Invalid value: ${shown}: ${why}` }
}

/** What a path that holds something else than a number says. */
export function accessError(path: string, value: Json, wanted = 'int64'): string {
  return `${path} accessor error: ${goFormat(value)} is of the type ${goTypeOf(value)}, expected ${wanted}`
}

/** A decoded value's type as Go prints it (`%T`). */
export function goTypeOf(value: Json): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'int64' : 'float64') : 'string'
}
