/** Values of the form of a custom resource. */
import { describe, expect, it } from 'vitest'
import { jsonOrText, withItem, withMember } from '../../../src/app/features/policy/form'

describe('the value of a JSON input', () => {
  it.each([
    ['3', 3],
    ['{"a": [1]}', { a: [1] }],
    ['"3"', '3'],
    ['null', null],
  ])('is the JSON value of %s', (text, value) => {
    expect(jsonOrText(text)).toEqual(value)
  })

  it('is a string without quotes if the text is not JSON', () => {
    expect(jsonOrText('blue')).toBe('blue')
    expect(jsonOrText('{"a":')).toBe('{"a":')
  })
})

it('leaves out empty members and removed items', () => {
  expect(withMember({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
  expect(withMember({ a: 1 }, 'b', 2)).toEqual({ a: 1, b: 2 })
  expect(withItem(['x', 'y'], 0, undefined)).toEqual(['y'])
  expect(withItem(['x'], 1, 'y')).toEqual(['x', 'y'])
})
