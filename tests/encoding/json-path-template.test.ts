/** JSONPath templates as `-o jsonpath` takes them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '../../src/engine/core/object'
import { JsonPathError } from '../../src/engine/encoding/json-path-steps'
import { goJson, parseJsonPathTemplate } from '../../src/engine/encoding/json-path-template'

const LIST: Json = {
  items: [
    { name: 'a', ports: [80, 443], on: true },
    { name: 'b', ports: [8080], labels: { 'app.io/x': 'y', z: '<&>' } },
  ],
}
const print = (template: string, value: Json = LIST) => parseJsonPathTemplate(template).print(value)

describe('a template', () => {
  it.each([
    ['{.items[*].name}', 'a b'],
    ['names: {.items[*].name}!', 'names: a b!'],
    ['{.items[0].ports}', '[80,443]'],
    ['{.items[0].ports[-1]}', '443'],
    ['{.items[0].ports[0:2]}', '80 443'],
    ['{.items[*].ports[0]}', '80 8080'],
    ['{.items[0].on}', 'true'],
    ['{.items[1].labels}', '{"app.io/x":"y","z":"\\u003c\\u0026\\u003e"}'],
    ['{.items[1].labels.app\\.io/x}', 'y'],
    [`{.items[1].labels['app\\.io/x']}`, 'y'],
    [`{.items[1]['name','labels.z']}`, 'b <&>'],
    ['{.nothing}', ''],
    ['{$.items[0].name}{@.items[1].name}', 'ab'],
    ['{..name}', 'a b'],
    ['{.items[?(@.name=="b")].ports[*]}', '8080'],
    ["{.items[?(@.name!='b')].name}", 'a'],
    ['{.items[?(@.ports[0]>100)].name}', 'b'],
    ['{.items[?(@.labels)].name}', 'b'],
    ['{.items[?(@.on==true)].name}', 'a'],
    ['{"tab\\t\\"quoted\\""}', 'tab\t"quoted"'],
    ['{range .items[*]}{.name}{"\\n"}{end}', 'a\nb\n'],
    ['{range .items[*]}{.name}:{range .ports[*]} {@}{end};{end}', 'a: 80 443;b: 8080;'],
    ['{range .nothing[*]}x{end}y', 'y'],
    ['{range .items[*]}{.name}', 'ab'],
    ['no braces', 'no braces'],
  ])('%s', (template, expected) => {
    expect(print(template)).toBe(expected)
  })

  it.each([
    ['{', 'unclosed action'],
    ['{.a', 'unclosed action'],
    ['{.a[}', 'unterminated array'],
    ['{.a[x]}', 'invalid array index x'],
    ['{.a[?(@.b}', 'unterminated filter'],
    ['{"x}', 'unterminated quoted string'],
    ['{....a}', 'invalid multiple recursive descent'],
    ['{%}', "unrecognized character in action: U+0025 '%'"],
  ])('rejects %s', (template, problem) => {
    expect(() => parseJsonPathTemplate(template)).toThrow(new JsonPathError(problem))
  })

  it.each([
    ['{.items[7].name}', 'array index out of bounds: index 7, length 2'],
    ['{.items.name[0]}', ''],
    ['{.items[0].name[0]}', 'string is not array or slice'],
    ['{.items[?(@.name>1)]}', 'incompatible types for comparison'],
    ['{.items[0][?(@.x)]}', 'is not array or slice and cannot be filtered'],
    ['{word}', 'unrecognized identifier word'],
    ['{end}', 'not in range, nothing to end'],
  ])('prints nothing or fails for %s', (template, problem) => {
    if (problem === '') expect(print(template)).toBe('')
    else expect(() => print(template)).toThrow(problem)
  })

  it('compares whole numbers beyond 64 bits as floats', () => {
    const of = (v: number): Json => ({ l: [{ v }] })
    for (const v of [2 ** 53, -(2 ** 63)])
      expect(print('{.l[?(@.v>1)].v}', of(v))).toBe(v > 1 ? String(v) : '')
    for (const v of [1e21, 2 ** 63, 1.5])
      expect(() => print('{.l[?(@.v>1)].v}', of(v))).toThrow('incompatible types for comparison')
  })

  it('requires existing fields in strict mode', () => {
    expect(() => parseJsonPathTemplate('{.nothing}', { strict: true }).print(LIST)).toThrow(
      'nothing is not found',
    )
  })
})

describe('paths of names and indexes', () => {
  const key = fc.constantFrom('a', 'b', 'c.d', 'e/f')
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.integer(),
      fc.boolean(),
      fc.string(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  }))
  const path = fc.array(fc.oneof(key, fc.integer({ min: -3, max: 3 })), {
    minLength: 1,
    maxLength: 4,
  })
  const written = (parts: (string | number)[]) =>
    parts
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part.replaceAll('.', '\\.')}`))
      .join('')

  /** Evaluates step by step; undefined for an absent value, an error for an invalid index. */
  function naive(root: Json, parts: (string | number)[]): Json | undefined | 'misfit' {
    let at: Json | undefined = root
    for (const part of parts) {
      if (at === undefined) return undefined
      if (typeof part === 'string')
        at = isJsonObject(at) && Object.hasOwn(at, part) ? at[part] : undefined
      else {
        if (!Array.isArray(at) || at.at(part) === undefined) return 'misfit'
        at = at.at(part)
      }
    }
    return at
  }

  it('return the same values as a direct lookup', () => {
    fc.assert(
      fc.property(value, path, (root, parts) => {
        const expected = naive(root, parts)
        const template = parseJsonPathTemplate(`{${written(parts)}}`)
        if (expected === 'misfit') expect(() => template.find(root)).toThrow(JsonPathError)
        else expect(template.find(root)).toEqual([expected === undefined ? [] : [expected]])
      }),
    )
  })

  it('sorts JSON, which can be parsed again', () => {
    fc.assert(
      fc.property(value, (root) => {
        expect(JSON.parse(goJson(root, 4))).toEqual(root)
      }),
    )
  })
})
