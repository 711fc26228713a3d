/**
 * Field errors with kube-apiserver's texts. Each takes the path of the field and its value. See
 * k8s.io/apimachinery, util/validation/field.
 */
import type { FieldError } from '../http/status'
import type { Json } from '../object'
import { goNumber } from '../schema/go-number'
import { goQuote, goValue } from '../schema/go-text'

/**
 * A value in a message: strings in Go quotes, structures as compact JSON, an absent one as
 * `"null"`.
 */
function shown(value: unknown): string {
  if (value === undefined || value === null) return '"null"'
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'number' ? goNumber(value) : String(value)
}

/** The same for a value without a Go type: structures in Go's format. */
export const shownUntyped = (value: Json): string =>
  typeof value === 'object' && value !== null ? goValue(value) : shown(value)

/** Errors of the items of a list, in order; costs nothing if there is no list. */
export function errorsOfItems<Item>(
  items: readonly Item[] | null | undefined,
  check: (item: Item, index: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = []
  if (items)
    for (let i = 0; i < items.length; i++)
      for (const error of check(items[i] as Item, i)) errors.push(error)
  return errors
}

export const required = (field: string, why = ''): FieldError => ({
  field,
  reason: 'FieldValueRequired',
  detail: why === '' ? 'Required value' : `Required value: ${why}`,
})

export const invalidValue = (field: string, value: unknown, why: string): FieldError => ({
  field,
  reason: 'FieldValueInvalid',
  detail: `Invalid value: ${shown(value)}: ${why}`,
})

/** `supported` in the order in which the message lists it: sorted for almost every field. */
export const notSupported = (
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError => ({
  field,
  reason: 'FieldValueNotSupported',
  detail: `Unsupported value: ${shown(value)}${supported.length === 0 ? '' : `: supported values: ${supported.map(goQuote).join(', ')}`}`,
})

export const duplicate = (field: string, value: unknown): FieldError => ({
  field,
  reason: 'FieldValueDuplicate',
  detail: `Duplicate value: ${shown(value)}`,
})

export const forbiddenField = (field: string, why: string): FieldError => ({
  field,
  reason: 'FieldValueForbidden',
  detail: `Forbidden: ${why}`,
})

const OVERLONG = 'value is too long'

/** A negative maximum, which a broken schema can have, is not printed. */
const limit = (maximum: number, named: string, unnamed: string): string =>
  maximum >= 0 ? named : unnamed

export const tooLong = (field: string, maximum: number): FieldError => ({
  field,
  reason: 'FieldValueTooLong',
  detail: `Too long: ${limit(maximum, `must have at most ${maximum} bytes`, OVERLONG)}`,
})

/** The same with kube-apiserver's other text, for a few fields. */
export const overlong = (field: string, maximum: number): FieldError => ({
  field,
  reason: 'FieldValueTooLong',
  detail: `Too long: ${limit(maximum, `may not be longer than ${maximum}`, OVERLONG)}`,
})

export const tooMany = (field: string, actual: number, maximum: number): FieldError => ({
  field,
  reason: 'FieldValueTooMany',
  detail: `Too many: ${actual}: ${limit(maximum, `must have at most ${maximum} items`, 'has too many items')}`,
})

export const notFoundField = (field: string, value: unknown): FieldError => ({
  field,
  reason: 'FieldValueNotFound',
  detail: `Not found: ${shown(value)}`,
})

export const typeInvalid = (field: string, value: unknown, why: string): FieldError => ({
  field,
  reason: 'FieldValueTypeInvalid',
  detail: `Invalid value: ${shown(value)}: ${why}`,
})

export const internalField = (field: string, why: string): FieldError => ({
  field,
  reason: 'InternalError',
  detail: `Internal error: ${why}`,
})
