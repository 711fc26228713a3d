/** Field errors, in the words of kube-apiserver. See k8s.io/apimachinery, util/validation/field. */

import type { Json } from '../core/object'
import type { FieldError, LaterDetail } from '../http/status'
import type { ChangeName, ReleaseTypes } from '../release-tables/changes'
import { goJson, goJsonSorted } from '../schema/go-json'
import { goNumber } from '../schema/go-number'
import { goQuote, goTime, goValue } from '../schema/go-text'

/** Go syntax, and JSON since Kubernetes 1.34. */
export interface Printed {
  go: string
  json: string
  /** If the types grew after the base release. */
  ofRelease?: (tables: ReleaseTypes) => Printed
}

const always = (text: string): Printed => ({ go: text, json: text })

export const OMITTED: Printed = { go: '', json: '' }

const NIL: Printed = { go: '"null"', json: 'null' }

/** Structures print as JSON in both forms. */
export function printed(value: unknown): Printed {
  if (value === undefined || value === null) return NIL
  if (typeof value === 'string') return always(goQuote(value))
  if (typeof value === 'object') return { go: JSON.stringify(value), json: goJson(value) }
  return always(typeof value === 'number' ? goNumber(value) : String(value))
}

/** Structures print with their Go types. */
export const printedUntyped = (value: Json): Printed =>
  typeof value === 'object' && value !== null
    ? { go: goValue(value), json: goJsonSorted(value) }
    : printed(value)

export const printedAsString = (go: string, text: string): Printed => ({ go, json: goJson(text) })

export const printedTime = (time: string | undefined): Printed =>
  time === undefined ? NIL : printedAsString(goTime(time), time)

/** `Duplicate value: 1: why` */
export function withValue(
  field: string,
  reason: string,
  label: string,
  value: Printed,
  why = '',
): FieldError {
  // Concatenated, so that errors that quote the same long value share it.
  const end = why === '' ? '' : `: ${why}`
  const text = (shown: string) => (value === OMITTED ? label : `${label}: ${shown}`) + end
  const error: FieldError = { field, reason, detail: text(value.go) }
  const later: LaterDetail[] = []
  const { ofRelease } = value
  if (ofRelease) later.push({ change: 'TypesGrow', detail: (tables) => text(ofRelease(tables).go) })
  if (ofRelease || value.json !== value.go)
    later.push({
      change: 'ValuesPrintedAsJson',
      detail: ofRelease ? (tables) => text(ofRelease(tables).json) : text(value.json),
    })
  if (later.length > 0) error.later = later
  return error
}

export const invalidPrinted = (field: string, value: Printed, why: string): FieldError =>
  withValue(field, 'FieldValueInvalid', 'Invalid value', value, why)

/** The text of `now` applies since the change. */
export const sinceChange = (
  change: ChangeName,
  now: FieldError,
  before: FieldError,
): FieldError => ({
  ...before,
  later: [
    ...(before.later ?? []),
    {
      change,
      detail: now.detail,
      ...(now.field !== before.field && { field: now.field }),
      ...(now.reason !== before.reason && { reason: now.reason }),
    },
    ...(now.later ?? []),
  ],
})

/** The error exists since the change. */
export const onlySince = (change: ChangeName, error: FieldError): FieldError => ({
  ...error,
  since: change,
})

/** The error exists until the change. */
export const untilChange = (change: ChangeName, error: FieldError): FieldError => ({
  ...error,
  until: change,
})

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

/** Kubernetes 1.34 and later omit the details. */
export const requiredOnly = (field: string, why: string): FieldError =>
  sinceChange('RedundantDetailsOmitted', required(field), required(field, why))

export const invalidValue = (field: string, value: unknown, why: string): FieldError =>
  invalidPrinted(field, printed(value), why)

/** The text names the field until Kubernetes 1.33. */
export const invalidNamed = (
  field: string,
  value: unknown,
  { name, why, was = `${name} ${why}` }: { name?: string; why: string; was?: string },
): FieldError =>
  sinceChange('FieldNamesOmitted', invalidValue(field, value, why), invalidValue(field, value, was))

/** In bytes since Kubernetes 1.35. */
export const invalidLabelValue = (field: string, value: string, why: string): FieldError =>
  sinceChange(
    'LengthsInBytes',
    invalidValue(field, value, why.replace(/(?<=than \d+ )characters/, 'bytes')),
    invalidValue(field, value, why),
  )

/** @param supported as the message lists them: almost always sorted */
export const notSupported = (
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError => notSupportedPrinted(field, printed(value), supported)

export const notSupportedPrinted = (
  field: string,
  value: Printed,
  supported: readonly string[],
): FieldError => ({
  ...withValue(
    field,
    'FieldValueNotSupported',
    'Unsupported value',
    value,
    supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
  ),
  supported,
})

export const duplicate = (field: string, value: unknown): FieldError =>
  duplicatePrinted(field, printed(value))

export const duplicatePrinted = (field: string, value: Printed, why = ''): FieldError =>
  withValue(field, 'FieldValueDuplicate', 'Duplicate value', value, why)

export const forbiddenField = (field: string, why: string): FieldError => ({
  field,
  reason: 'FieldValueForbidden',
  detail: `Forbidden: ${why}`,
})

const OVERLONG = 'value is too long'

/** Broken schemas may have negative maximums. */
const limit = (maximum: number, named: string, unnamed: string): string =>
  maximum >= 0 ? named : unnamed

export const tooLong = (field: string, maximum: number): FieldError => ({
  field,
  reason: 'FieldValueTooLong',
  detail: `Too long: ${limit(maximum, `must have at most ${maximum} bytes`, OVERLONG)}`,
})

/** The other wording of kube-apiserver, for a few fields. */
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

export const notFoundField = (field: string, value: unknown): FieldError =>
  withValue(field, 'FieldValueNotFound', 'Not found', printed(value))

export const typeInvalid = (field: string, value: unknown, why: string): FieldError =>
  withValue(field, 'FieldValueTypeInvalid', 'Invalid value', printed(value), why)

export const internalField = (field: string, why: string): FieldError => ({
  field,
  reason: 'InternalError',
  detail: `Internal error: ${why}`,
})
