import { isJsonObject } from '../core/object'
import type { FieldError } from '../http/status'
import { recordRounded } from '../schema/explicit-quantities'
import {
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  notationOf,
  parseQuantity,
  quantityUnits,
  roundUpQuantity,
  writtenExponent,
  ZERO_QUANTITY,
} from '../schema/quantity'
import { invalidPrinted, invalidValue, printedAsString } from './field-errors'
import type { GoValue } from './go-value'
import { isIntegerResource } from './resource-names'

/**
 * Its parts in Go.
 * @param text as sent
 * @param spelled its text was formatted before, and so is cached
 */
export function shownQuantity(text: string, spelled: boolean): string {
  const { plain = { value: 0, scale: 0 }, text: kept, format } = notationOf(text)
  const many = notationOf(text).plain === undefined ? '0xc000000000' : 'nil'
  const known = spelled ? canonicalQuantity(text) : kept
  return `resource.Quantity{i:resource.int64Amount{value:${plain.value}, scale:${plain.scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(${many})}, s:"${known}", Format:"${format}"}`
}

export function goQuantity(text: string | undefined): GoValue {
  const {
    plain = { value: 0, scale: 0 },
    text: known,
    format,
  } = text === undefined ? NO_NOTATION : notationOf(text)
  const number = (name: string, amount: number) => ({
    name,
    value: { kind: 'number', type: 'int64', value: amount } as const,
  })
  const string = (name: string, content: string) => ({
    name,
    value: { kind: 'string', type: 'string', value: content } as const,
  })
  const amount: GoValue = {
    kind: 'struct',
    type: 'resource.int64Amount',
    members: [number('value', Number(plain.value)), number('scale', plain.scale)],
  }
  return {
    kind: 'struct',
    type: 'resource.Quantity',
    members: [{ name: 'i', value: amount }, string('s', known), string('Format', format)],
  }
}

const NO_NOTATION = { plain: undefined, text: '', format: '' }

export function invalidQuantity(
  field: string,
  text: string,
  why: string,
  spelled = true,
): FieldError {
  const value = printedAsString(shownQuantity(text, spelled), canonicalQuantity(text))
  return invalidPrinted(field, value, why)
}

/**
 * Up to thousandths, in place, as kube-apiserver's core types.
 * @param amounts by resource, canonical; ignores other values
 */
export function roundAmounts(amounts: unknown): void {
  if (!isJsonObject(amounts)) return
  for (const name in amounts) {
    const amount = amounts[name]
    if (amount === null) amounts[name] = '0'
    if (typeof amount !== 'string' || !/[nu]$|e-/i.test(amount) || writtenExponent(amount) >= -3)
      continue
    const quantity = roundUpQuantity(parseQuantity(amount), 3)
    amounts[name] = formatQuantity(quantity)
    recordRounded(amounts, name, inThousandths(quantityUnits(quantity, 3)))
  }
}

/** The space marks a quantity without cached text. */
function inThousandths(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(4, '0')
  return ` ${units < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`
}

/** Not negative, and an integer for some resources. */
export function resourceQuantityErrors(
  field: string,
  resource: string,
  text: string,
): FieldError[] {
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

/** kube-apiserver prints whole units. */
export function usableErrors(field: string, amount: string): FieldError[] {
  const units = quantityUnits(parseQuantity(amount), 0)
  return units < 0n ? [invalidValue(field, Number(units), 'must be a valid resource quantity')] : []
}
