/** Integers are literals within 64 bits, or those that a float holds exactly. */
import { expect, it } from 'vitest'
import { isWhole } from '../../src/engine/schema/number-literals'

it.each([
  ['9223372036854775807', true],
  ['9223372036854775808', false],
  ['-9223372036854775808', true],
  ['-9223372036854775809', false],
  ['10.0', true],
  ['1e3', true],
  ['1e18', false],
  ['1.5', false],
])('%s: %s', (literal, whole) => {
  expect(isWhole(Number(literal), literal)).toBe(whole)
})

it('accepts a number without its literal', () => {
  expect(isWhole(2 ** 60, undefined)).toBe(true)
})
