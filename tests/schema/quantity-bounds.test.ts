/** Quantities with huge exponents take no more memory than others. */
import { describe, expect, it } from 'vitest'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityUnits,
} from '../../src/engine/schema/quantity'

describe.each(['1E+99999999', '1e2147483647', '-1e99999999'])('%s', (text) => {
  it('compares, adds and counts as beyond every limit', () => {
    const amount = parseQuantity(text)
    const sign = text.startsWith('-') ? -1 : 1
    expect(Math.sign(compareQuantities(amount, parseQuantity('1e1000')))).toBe(sign)
    expect(compareQuantities(amount, amount)).toBe(0)
    expect(formatQuantity(addQuantities(amount, parseQuantity('1')))).toBe(formatQuantity(amount))
    expect(quantityUnits(amount, 3)).toBe(BigInt(sign) * 10n ** 1000n)
  })
})

it('rounds the smallest amounts up to one billionth', () => {
  expect(formatQuantity(parseQuantity('1e-99999999'))).toBe('1e-9')
})

it.each(['1'.repeat(10_001), `0.${'1'.repeat(10_000)}`])(
  'rejects an amount of more than 10,000 characters',
  (text) => {
    expect(() => parseQuantity(text)).toThrow('unable to parse numeric part of quantity')
    expect(parseQuantity('1'.repeat(10_000)).mantissa).toBe(BigInt('1'.repeat(10_000)))
  },
)
