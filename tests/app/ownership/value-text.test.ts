/** Values that differ never look alike, however long they are. */
import { assert, property, string, uniqueArray } from 'fast-check'
import { expect, it } from 'vitest'
import { valueText, valueTexts } from '../../../src/app/features/ownership/value-text'

const long = 'the same beginning, again and again, '.repeat(4)

it('truncates long values, and names absent ones', () => {
  expect(valueText(long).length).toBeLessThan(70)
  expect(valueText(undefined)).toBe('unset')
  expect(valueTexts('blue', 'red')).toEqual(['"blue"', '"red"'])
})

it('shows long values where they differ', () => {
  const [first, second] = valueTexts(`${long}blue`, `${long}red`)
  expect(first).toMatch(/^… .*again, blue"$/)
  expect(second).toMatch(/^… .*again, red"$/)
})

it('never shows two different texts as one', () => {
  assert(
    property(
      string(),
      uniqueArray(string(), { minLength: 2, maxLength: 2 }),
      (more, [one = '', other = '']) => {
        const [first, second] = valueTexts(
          `${long}${one}${more.repeat(9)}`,
          `${long}${other}${more.repeat(9)}`,
        )
        if (`${one}${more.repeat(9)}` !== `${other}${more.repeat(9)}`)
          expect(first).not.toBe(second)
      },
    ),
  )
})
