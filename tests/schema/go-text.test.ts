import { describe, expect, it } from 'vitest'
import { goTrim, goTrimRight } from '../../src/engine/schema/go-text'

describe('white space around a string', () => {
  it.each([
    [' a b\t\r\n', 'a b'],
    ['\u0085\u00a0\u2003\u3000b\u0085', 'b'],
    ['b\ufeff', 'b\ufeff'],
    ['\ufeff', '\ufeff'],
    ['b\u200b\u0000', 'b\u200b\u0000'],
    [' \n', ''],
    ['', ''],
  ])('is trimmed as by Go: %j', (text, trimmed) => expect(goTrim(text)).toBe(trimmed))
})

describe('a character at the end of a string', () => {
  it.each([
    ['/a//', '/a'],
    ['///', ''],
    ['/a', '/a'],
  ])('is trimmed repeatedly: %s', (text, trimmed) => expect(goTrimRight(text, '/')).toBe(trimmed))
})
