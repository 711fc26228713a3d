/**
 * Validation generated from tags of Go types (`+k8s:required`). See kubernetes.io, "Declarative API
 * validation", and k8s.io/apimachinery, pkg/api/validate.
 */

import { isJsonObject, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { invalidValue, notSupported, required, tooMany } from '../field-errors'

export interface Checked {
  path: string
  value: unknown
  /** undefined without a corresponding value. */
  old: unknown
  /** Whether an old value corresponds. */
  isUpdate: boolean
}

/** The violations of one tag. */
export type Rule = (checked: Checked) => FieldError[]

/** In the order of the Go type. */
export interface Declared {
  /** The first failure ends the checks of the field. */
  first?: readonly Rule[]
  /** Matches the strategy's errors that declared ones replace. */
  replaces?: RegExp
  all?: readonly Rule[]
  members?: Readonly<Record<string, Declared>>
  items?: Declared
  /** Identifies list items over time. */
  key?: string
}

export interface DeclaredFor {
  featureGates: Readonly<Record<string, boolean>>
  object: KubeObject
  /** undefined on create */
  old: KubeObject | undefined
}

/**
 * Tags `+k8s:beta(since: "1.37")` in k8s.io/api. Order and messages recorded from kube-apiserver
 * 1.37.
 */
export type DeclaredRules = Declared | ((subject: DeclaredFor) => Declared)

/** Go's zero values. */
function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

export const mustBeSet: Rule = ({ path, value }) => (isUnset(value) ? [required(path)] : [])

export const REQUIRED: Declared = { first: [mustBeSet] }

export const mustNotBeSet: Rule = ({ path, value }) =>
  isUnset(value) ? [] : [{ field: path, reason: 'FieldValueForbidden', detail: 'Forbidden' }]

/** Generated rules do not print the value. */
const invalidWithoutValue = (field: string, why: string): FieldError => ({
  field,
  reason: 'FieldValueInvalid',
  detail: `Invalid value: null: ${why}`,
})

export const mustNotChange: Rule = ({ path, isUpdate }) =>
  isUpdate ? [invalidWithoutValue(path, 'field is immutable')] : []

export const setOnce: Rule = ({ path, value, old, isUpdate }) => {
  if (!isUpdate || isUnset(old) || value === old) return []
  const change = isUnset(value) ? 'cleared' : 'modified'
  return [invalidWithoutValue(path, `field cannot be ${change} once set`)]
}

export const atLeast =
  (minimum: number): Rule =>
  ({ path, value }) =>
    typeof value === 'number' && value < minimum
      ? [invalidValue(path, value, `must be greater than or equal to ${minimum}`)]
      : []

export const oneOf =
  (...values: readonly string[]): Rule =>
  ({ path, value }) =>
    isUnset(value) || values.includes(value as string) ? [] : [notSupported(path, value, values)]

export const itemsAtMost =
  (maximum: number): Rule =>
  ({ path, value }) =>
    Array.isArray(value) && value.length > maximum ? [tooMany(path, value.length, maximum)] : []

export const inFormat =
  (problems: (text: string) => readonly string[]): Rule =>
  ({ path, value }) =>
    typeof value === 'string' && value !== ''
      ? problems(value).map((problem) => invalidValue(path, value, problem))
      : []
