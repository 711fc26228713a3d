/** JSON text that the server nests into text is escaped as Go's encoder escapes it. */
import { describe, expect, it } from 'vitest'
import { goJson } from '../../src/engine/schema/go-json'

describe('goJson', () => {
  it.each([
    ['a && b', '"a \\u0026\\u0026 b"'],
    ['x < 1', '"x \\u003c 1"'],
    ['x > 1', '"x \\u003e 1"'],
    ['\u2028\u2029', '"\\u2028\\u2029"'],
    ['\u00e9', '"\u00e9"'],
  ])('escapes %j', (text, expected) => {
    expect(goJson(text)).toBe(expected)
    expect(JSON.parse(goJson(text))).toBe(text)
  })

  it('escapes member names and nested values', () => {
    expect(goJson({ 'a&b': ['<'] })).toBe('{"a\\u0026b":["\\u003c"]}')
  })
})
