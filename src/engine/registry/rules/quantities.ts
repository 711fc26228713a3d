/** Rules for quantities, and how the real server shows one that breaks a rule. */
import type { FieldError } from '../../http/status'
import { canonicalQuantity, compareQuantities, parseQuantity, quantityUnits, ZERO_QUANTITY } from '../../schema/quantity'
import { invalidValue } from '../field-errors'
import { isIntegerResource } from './resource-names'

/**
 * A quantity as Go prints its parts: digits, power of ten and suffix family.
 * @param spelled its text was asked for before, so that it is known
 */
export function shownQuantity(text: string, spelled: boolean): string {
  const { format } = parseQuantity(text)
  const [, sign = '', whole = '', decimals = '', power = 0] = plainParts(text)
  const value =
    format === 'BinarySI'
      ? parseQuantity(text).mantissa * 10n ** BigInt(Math.max(0, parseQuantity(text).exponent))
      : BigInt(`${sign}${whole}${decimals}`)
  const scale = format === 'BinarySI' ? 0 : Number(power) - decimals.length
  const known = spelled || canonicalQuantity(text) === text ? canonicalQuantity(text) : ''
  return `resource.Quantity{i:resource.int64Amount{value:${value}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${known}", Format:"${format}"}`
}

const POWERS: Record<string, number> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }

function plainParts(text: string): [string, string, string, string, number] {
  const [, sign = '', whole = '', decimals = '', suffix = ''] = /^\s*([+-]?)(\d*)(?:\.(\d*))?(.*?)\s*$/.exec(text) ?? []
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1]
  return [text, sign === '-' ? '-' : '', whole || '0', decimals, exponent === undefined ? (POWERS[suffix] ?? 0) : Number(exponent)]
}

/** `Invalid value` of a quantity that a message also names. */
export function invalidQuantity(field: string, text: string, why: string, spelled = true): FieldError {
  return { field, reason: 'FieldValueInvalid', detail: `Invalid value: ${shownQuantity(text, spelled)}: ${why}` }
}

/** The amount of a resource: not negative, and whole where the resource is counted in whole numbers. */
export function resourceQuantityErrors(field: string, resource: string, text: string): FieldError[] {
  const quantity = parseQuantity(text)
  const errors: FieldError[] = []
  if (compareQuantities(quantity, ZERO_QUANTITY) < 0) {
    errors.push(invalidValue(field, canonicalQuantity(text), 'must be greater than or equal to 0'))
  }
  if (isIntegerResource(resource) && quantityUnits(quantity, 3) % 1000n !== 0n) {
    errors.push(invalidQuantity(field, text, 'must be an integer', false))
  }
  return errors
}
