import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/engine/schema/json-parser'
import { goJsonError, JsonSyntaxError, readJson } from '../../src/engine/schema/json-reader'

describe('reading JSON', () => {
  it('returns the same value as JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(readJson(text).value).toEqual(JSON.parse(text))
        expect(parseJson(text).value).toEqual(JSON.parse(text))
      }),
    )
  })

  it('reports every repeated name of an object by path, and keeps the last value', () => {
    const { value, duplicates } = readJson('{"a":1,"b":[{"c":1},{"c":1,"c":2}],"a":{"b":1,"b":2}}')
    expect(value).toEqual({ a: { b: 2 }, b: [{ c: 1 }, { c: 2 }] })
    expect(duplicates).toEqual([
      'duplicate field "b[1].c"',
      'duplicate field "a"',
      'duplicate field "a.b"',
    ])
  })

  it('handles colons, quotes and backslashes inside strings', () => {
    const strings = fc.string({
      unit: fc.constantFrom('"', '\\', ':', '{', '}', ',', 'a', 'é', '\n'),
    })
    fc.assert(
      fc.property(fc.dictionary(strings, strings), (value) => {
        expect(readJson(JSON.stringify(value))).toEqual({
          value: JSON.parse(JSON.stringify(value)),
          duplicates: [],
        })
      }),
    )
  })

  it('finds repeated names at any depth', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }),
        (value) => {
          const text = JSON.stringify(value)
          const [name = ''] = Object.keys(value)
          const twice = `${text.slice(0, -1)},${JSON.stringify(name)}:null}`
          expect(readJson(twice).duplicates).toHaveLength(1)
        },
      ),
    )
  })

  it('keeps the literal of numbers that lose precision', () => {
    const { value, details } = readJson('{"a":1e2,"b":[2.0,9007199254740993],"c":1.5,"d":100}')
    expect(value).toEqual({ a: 100, b: [2, 9007199254740992], c: 1.5, d: 100 })
    const { a, b } = value as { a: number; b: number[] }
    expect(details?.literals.get(value as { a: number })).toEqual(new Map([['a', '1e2']]))
    expect(details?.literals.get(b)).toEqual(
      new Map([
        [0, '2.0'],
        [1, '9007199254740993'],
      ]),
    )
    expect(a).toBe(100)
  })

  it('treats __proto__ as an ordinary name', () => {
    expect(Object.keys(readJson('{"__proto__":{"a":1}}').value as object)).toEqual(['__proto__'])
    expect(Object.keys(readJson('{"__proto__":1,"x":1e2}').value as object)).toEqual([
      '__proto__',
      'x',
    ])
  })

  it('replaces lone surrogates, which UTF-8 cannot encode', () => {
    expect(readJson('"\\ud83d\\ude00 \\ud83d."').value).toBe('😀 \ufffd.')
  })

  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"a" "b"}', `invalid character '"' after object key`],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['nope', "invalid character 'o' in literal null (expecting 'u')"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ])('rejects %j: %s', (text, message) => {
    expect(() => readJson(text)).toThrow(new JsonSyntaxError(message))
    expect(goJsonError(text)).toBe(message)
  })

  it('rejects the same texts as JSON.parse', () => {
    const almostJson = fc.string({
      unit: fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        ':',
        ',',
        '1',
        '0',
        '-',
        '.',
        'e',
        ' ',
        'null',
        'true',
        '\\',
        'u',
        'a',
      ),
    })
    fc.assert(
      fc.property(almostJson, (text) => {
        expect(goJsonError(text) === '').toBe(isJson(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('accepts ten thousand levels of nesting, and rejects more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(readJson(nested(10_000)).duplicates).toEqual([])
    expect(() => readJson(nested(10_001))).toThrow("invalid character '[' exceeded max depth")
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
