/** Rules for quantities, and how the real server shows one that breaks a rule. */
import type { FieldError } from '../../http/status'
import { isJsonObject } from '../../object'
import { forgetGiven } from '../../schema/given-quantities'
import {
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityUnits,
  roundUpQuantity,
  ZERO_QUANTITY,
} from '../../schema/quantity'
import { invalidValue } from '../field-errors'
import type { GoValue } from './go-value'
import { isIntegerResource } from './resource-names'

/** Digits, power of ten, text and suffix family: what the Go structure of a quantity holds. */
function quantityMembers(text: string, spelled: boolean): { value: bigint; scale: number; known: string; format: string } {
  const { format, mantissa, exponent } = parseQuantity(text)
  const [, sign = '', whole = '', decimals = '', power = 0] = plainParts(text)
  const binary = format === 'BinarySI'
  return {
    value: binary ? mantissa * 10n ** BigInt(Math.max(0, exponent)) : BigInt(`${sign}${whole}${decimals}`),
    scale: binary ? 0 : Number(power) - decimals.length,
    known: spelled || canonicalQuantity(text) === text ? canonicalQuantity(text) : '',
    format,
  }
}

/**
 * A quantity as Go prints its parts.
 * @param spelled its text was asked for before, so that it is known
 */
export function shownQuantity(text: string, spelled: boolean): string {
  const { value, scale, known, format } = quantityMembers(text, spelled)
  return `resource.Quantity{i:resource.int64Amount{value:${value}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${known}", Format:"${format}"}`
}

/** The same as a structure, without its always empty part. */
export function goQuantity(text: string): GoValue {
  const { value, scale, known, format } = quantityMembers(text, true)
  const number = (name: string, amount: number) => ({ name, value: { kind: 'number', type: 'int64', value: amount } as const })
  const string = (name: string, content: string) => ({ name, value: { kind: 'string', type: 'string', value: content } as const })
  const amount: GoValue = {
    kind: 'struct',
    type: 'resource.int64Amount',
    members: [number('value', Number(value)), number('scale', scale)],
  }
  return {
    kind: 'struct',
    type: 'resource.Quantity',
    members: [{ name: 'i', value: amount }, string('s', known), string('Format', format)],
  }
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

/**
 * Amounts of resources are kept in thousandths, wherever the core group lists them: what is finer is rounded up (public; recorded for
 * pods). Changes the list in place.
 * @param amounts amounts by resource, in canonical form; anything else is left alone
 */
export function roundAmounts(amounts: unknown): void {
  if (!isJsonObject(amounts)) return
  for (const name in amounts) {
    const amount = amounts[name]
    if (amount === null) amounts[name] = '0'
    if (typeof amount !== 'string' || !/[nu]$|e-/.test(amount)) continue
    amounts[name] = formatQuantity(roundUpQuantity(parseQuantity(amount), 3))
    forgetGiven(amounts, name)
  }
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

/** An amount of storage that is there: not negative. The real server shows it in whole units. */
export function usableErrors(field: string, amount: string): FieldError[] {
  const units = quantityUnits(parseQuantity(amount), 0)
  return units < 0n ? [invalidValue(field, Number(units), 'must be a valid resource quantity')] : []
}
