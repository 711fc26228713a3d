/** KEP-5075; `validateRequestPolicy` of k8s.io/kubernetes, pkg/apis/resource/validation. */

import type { FieldError } from '../../http/status'
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  quantityUnits,
} from '../../schema/quantity'
import {
  duplicate,
  forbiddenField,
  invalidValue,
  required,
  tooMany,
} from '../../validation/field-errors'

export interface RequestPolicy {
  default?: string
  validValues?: string[]
  validRange?: { min?: string; max?: string; step?: string }
}

export interface DeviceCapacity {
  value?: string
  requestPolicy?: RequestPolicy
}

const MOST_VALUES = 10
const BOTH =
  'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'

const compared = (a: string, b: string): number =>
  compareQuantities(parseQuantity(a), parseQuantity(b))
const isFractional = (text: string): boolean => quantityUnits(parseQuantity(text), 3) % 1000n !== 0n

/** @param fractions of a unit are allowed */
export function policyErrors(
  { value = '0', requestPolicy: policy = {} }: DeviceCapacity,
  path: string,
  fractions: boolean,
): FieldError[] {
  const { validValues: values = [], validRange: range } = policy
  if (values.length > 0 && range) return [forbiddenField(path, BOTH)]
  const kind = values.length > 0 ? 'validValues' : 'validRange'
  if (values.length === 0 && !range) return []
  if (policy.default === undefined)
    return [required(`${path}.default`, `required when ${kind} is defined`)]
  const at = `${path}.${kind}`
  return range
    ? rangeErrors(policy.default, value, range, at, fractions)
    : valuesErrors(policy.default, value, values, at)
}

function valuesErrors(
  preset: string,
  most: string,
  values: readonly string[],
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  values.forEach((value, i) => {
    const next = values[i + 1]
    if (next !== undefined && compared(value, next) > 0)
      errors.push(
        invalidValue(
          `${path}[${i + 1}]`,
          canonicalQuantity(next),
          'values must be sorted in ascending order',
        ),
      )
  })
  const tooLarge = `option is larger than capacity value: ${canonicalQuantity(most)}`
  const keys = values.map((value) => String(quantityUnits(parseQuantity(value), 3)))
  if (values.length > MOST_VALUES) errors.push(tooMany(path, values.length, MOST_VALUES))
  else {
    values.forEach((value, i) => {
      if (compared(value, most) > 0)
        errors.push(invalidValue(`${path}[${i}]`, canonicalQuantity(value), tooLarge))
    })
    keys.forEach((key, i) => {
      if (keys.indexOf(key) < i) errors.push(duplicate(`${path}[${i}]`, shownKey(values[i] ?? '0')))
    })
    if (values.some((value) => compared(value, preset) === 0)) return errors
  }
  const why = 'default value is not valid according to the requestPolicy'
  return [...errors, invalidValue(path, canonicalQuantity(preset), why)]
}

const shownKey = (value: string): string => String(quantityUnits(parseQuantity(value), 0))

function rangeErrors(
  preset: string,
  capacity: string,
  { min, max, step }: NonNullable<RequestPolicy['validRange']>,
  path: string,
  fractions: boolean,
): FieldError[] {
  if (min === undefined) return [required(`${path}.min`, 'required when validRange is defined')]
  const errors: FieldError[] = []
  const reject = (member: string, value: string, why: string) =>
    errors.push(invalidValue(`${path}.${member}`, canonicalQuantity(value), why))
  const [whole, least] = [capacity, min].map(canonicalQuantity)
  if (compared(min, capacity) > 0) reject('min', min, `min is larger than capacity value: ${whole}`)
  if (compared(preset, min) < 0) reject('default', preset, `default is less than min: ${least}`)
  if (max !== undefined) {
    const most = canonicalQuantity(max)
    if (compared(min, max) > 0) reject('max', min, `min is larger than max: ${most}`)
    if (compared(max, capacity) > 0)
      reject('max', max, `max is larger than capacity value: ${whole}`)
    if (compared(preset, max) > 0) reject('default', preset, `default is more than max: ${most}`)
  }
  if (step === undefined) return errors
  if (compared(step, '0') <= 0) {
    reject('step', step, 'must be greater than zero')
    return errors
  }
  const first = addQuantities(parseQuantity(min), parseQuantity(step))
  if (compareQuantities(first, parseQuantity(capacity)) > 0) {
    const sum = canonicalQuantity(String(quantityUnits(first, 0)))
    reject('step', step, `one step ${sum} is larger than capacity value: ${whole}`)
  }
  const decimals = fractions && [preset, min, max ?? '0', step].some(isFractional) ? 3 : 0
  const units = (text: string) => quantityUnits(parseQuantity(text), decimals)
  for (const value of max === undefined ? [preset] : [preset, max])
    if (units(step) !== 0n && (units(value) - units(min)) % units(step) !== 0n)
      reject(
        'step',
        value,
        `value is not a multiple of a given step (${canonicalQuantity(step)}) from (${least})`,
      )
  return errors
}
