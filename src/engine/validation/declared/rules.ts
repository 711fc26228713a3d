/**
 * The rules that tags of the Go types declare (`+k8s:required`). kube-apiserver generates validation
 * from them. See kubernetes.io, "Declarative API validation", and k8s.io/apimachinery,
 * pkg/api/validate.
 */

import { isJsonObject, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { invalidValue, notSupported, required, tooMany } from '../field-errors'

/** The new and the old value of a field. */
export interface Checked {
  path: string
  value: unknown
  /** undefined on create, and if no old value corresponds to it. */
  old: unknown
  /** Whether an old value corresponds to it. */
  isUpdate: boolean
}

/** @returns the violations of one tag */
export type Rule = (checked: Checked) => FieldError[]

/** The rules of a field and of what lies below it, in the order of the Go type. */
export interface Declared {
  /** Rules of the value. If one of them fails, the following ones and those below do not run. */
  first?: readonly Rule[]
  /** Further errors of the strategy about the field that the declared ones replace. */
  replaces?: RegExp
  /** Rules of the value that all run. */
  all?: readonly Rule[]
  /** Members of a structure. */
  members?: Readonly<Record<string, Declared>>
  /** Each item of a list. */
  items?: Declared
  /** The member whose values identify the items of a list over time. */
  key?: string
}

/** The object whose rules are wanted, for rules that depend on it. */
export interface DeclaredFor {
  featureGates: Readonly<Record<string, boolean>>
  object: KubeObject
  /** undefined on create */
  old: KubeObject | undefined
}

/**
 * The rules that a kind declares. They correspond to the tags `+k8s:beta(since: "1.37")` in
 * k8s.io/api. Order and messages recorded from kube-apiserver 1.37.
 */
export type DeclaredRules = Declared | ((subject: DeclaredFor) => Declared)

/** Unset as the Go type has it: empty text, zero, an empty list or map, no pointer. */
function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

export const mustBeSet: Rule = ({ path, value }) => (isUnset(value) ? [required(path)] : [])

export const REQUIRED: Declared = { first: [mustBeSet] }

export const mustNotBeSet: Rule = ({ path, value }) =>
  isUnset(value) ? [] : [{ field: path, reason: 'FieldValueForbidden', detail: 'Forbidden' }]

/** The generated rule does not print the value. */
const invalidWithoutValue = (field: string, why: string): FieldError => ({
  field,
  reason: 'FieldValueInvalid',
  detail: `Invalid value: null: ${why}`,
})

/** The field keeps its value after the object was created. */
export const mustNotChange: Rule = ({ path, isUpdate }) =>
  isUpdate ? [invalidWithoutValue(path, 'field is immutable')] : []

/** The field may be set once, and neither cleared nor changed afterwards. */
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

/** @param problems of a text in the declared format */
export const inFormat =
  (problems: (text: string) => readonly string[]): Rule =>
  ({ path, value }) =>
    typeof value === 'string' && value !== ''
      ? problems(value).map((problem) => invalidValue(path, value, problem))
      : []
