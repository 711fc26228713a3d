/**
 * Field errors with kube-apiserver's texts. Each takes the path of the field and its value. See
 * k8s.io/apimachinery, util/validation/field.
 */

import type { Json } from '../core/object'
import type { FieldError, LaterDetail } from '../http/status'
import type { ChangeName, ReleaseTypes } from '../release-tables/changes'
import { goJson, goJsonSorted } from '../schema/go-json'
import { goNumber } from '../schema/go-number'
import { goQuote, goTime, goValue } from '../schema/go-text'

/** A value as messages print it: in Go syntax, and as JSON since Kubernetes 1.34. */
export interface Printed {
  go: string
  json: string
  /** Both texts with the types of a release, if these grew after the base release. */
  ofRelease?: (tables: ReleaseTypes) => Printed
}

/** A text that all releases print. */
const always = (text: string): Printed => ({ go: text, json: text })

/** No value is printed. */
export const OMITTED: Printed = { go: '', json: '' }

/** What messages print for nil. */
const NIL: Printed = { go: '"null"', json: 'null' }

/** Strings in Go quotes, structures as compact JSON. */
export function printed(value: unknown): Printed {
  if (value === undefined || value === null) return NIL
  if (typeof value === 'string') return always(goQuote(value))
  if (typeof value === 'object') return { go: JSON.stringify(value), json: goJson(value) }
  return always(typeof value === 'number' ? goNumber(value) : String(value))
}

/** The same for a value without a Go type: Go syntax prints its structures with their types. */
export const printedUntyped = (value: Json): Printed =>
  typeof value === 'object' && value !== null
    ? { go: goValue(value), json: goJsonSorted(value) }
    : printed(value)

/** Text in Go syntax whose JSON is a string. */
export const printedAsString = (go: string, text: string): Printed => ({ go, json: goJson(text) })

/** A time; undefined: not set. */
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
  const text = (shown: string) =>
    [label, ...(value === OMITTED ? [] : [shown]), ...(why === '' ? [] : [why])].join(': ')
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

/** `Invalid value` of a value that is printed already. */
export const invalidPrinted = (field: string, value: Printed, why: string): FieldError =>
  withValue(field, 'FieldValueInvalid', 'Invalid value', value, why)

/** An error that has the text of another one since a change. */
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

/** An error that releases with a change do not have. */
export const untilChange = (change: ChangeName, error: FieldError): FieldError => ({
  ...error,
  until: change,
})

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

/** A required field whose message has no further details, until Kubernetes 1.33. */
export const requiredOnly = (field: string, why: string): FieldError =>
  sinceChange('RedundantDetailsOmitted', required(field), required(field, why))

export const invalidValue = (field: string, value: unknown, why: string): FieldError =>
  invalidPrinted(field, printed(value), why)

/** `Invalid value` with a text that does not name the field, since Kubernetes 1.34. */
export const invalidNamed = (
  field: string,
  value: unknown,
  { name, why, was = `${name} ${why}` }: { name?: string; why: string; was?: string },
): FieldError =>
  sinceChange('FieldNamesOmitted', invalidValue(field, value, why), invalidValue(field, value, was))

/** `Invalid value` of a label, whose length is in bytes since Kubernetes 1.35. */
export const invalidLabelValue = (field: string, value: string, why: string): FieldError =>
  sinceChange(
    'LengthsInBytes',
    invalidValue(field, value, why.replace(/(?<=than \d+ )characters/, 'bytes')),
    invalidValue(field, value, why),
  )

/** `supported` in the order in which the message lists it: sorted for almost every field. */
export const notSupported = (
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError => notSupportedPrinted(field, printed(value), supported)

/** The same for a value that is printed already. */
export const notSupportedPrinted = (
  field: string,
  value: Printed,
  supported: readonly string[],
): FieldError =>
  withValue(
    field,
    'FieldValueNotSupported',
    'Unsupported value',
    value,
    supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
  )

export const duplicate = (field: string, value: unknown): FieldError =>
  duplicatePrinted(field, printed(value))

/** The same for a value that is printed already. */
export const duplicatePrinted = (field: string, value: Printed, why = ''): FieldError =>
  withValue(field, 'FieldValueDuplicate', 'Duplicate value', value, why)

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

export const notFoundField = (field: string, value: unknown): FieldError =>
  withValue(field, 'FieldValueNotFound', 'Not found', printed(value))

export const typeInvalid = (field: string, value: unknown, why: string): FieldError =>
  withValue(field, 'FieldValueTypeInvalid', 'Invalid value', printed(value), why)

export const internalField = (field: string, why: string): FieldError => ({
  field,
  reason: 'InternalError',
  detail: `Internal error: ${why}`,
})
