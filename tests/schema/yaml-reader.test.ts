import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { Json } from '../../src/engine/core/object'
import { toYaml } from '../../src/engine/encoding/yaml'
import { readYaml, warningsOf, YamlSyntaxError } from '../../src/engine/schema/yaml/reader'

const read = (text: string): Json => readYaml(text).value

const documentsOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Record<string, Json>> => {
  const values = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  })).value
  return fc.dictionary(text, values, { maxKeys: 3 })
}

describe('reading YAML', () => {
  it('reads what the server writes as YAML', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        'a',
        'B',
        '1',
        ' ',
        ':',
        '-',
        '#',
        '"',
        "'",
        '\n',
        '{',
        'yes',
        '~',
        '.',
      ),
    })
    fc.assert(
      fc.property(documentsOf(text), (value) => {
        expect(read(toYaml(value))).toEqual(value)
      }),
    )
  })

  it('reads what other writers produce, in any layout', () => {
    const layouts = fc.record({
      indent: fc.constantFrom(2, 4),
      lineWidth: fc.constantFrom(0, 40, 80),
      collectionStyle: fc.constantFrom('any', 'block', 'flow'),
      defaultStringType: fc.constantFrom(
        'PLAIN',
        'QUOTE_SINGLE',
        'QUOTE_DOUBLE',
        'BLOCK_LITERAL',
        'BLOCK_FOLDED',
      ),
      defaultKeyType: fc.constantFrom(null, 'QUOTE_SINGLE'),
    } as const)
    // Skips YAML that the writer accepts and kube-apiserver rejects: colons in brackets, lines with
    // only a dash, empty keys, indented blocks.
    const characters = fc.constantFrom('a', 'B', '1', ' ', '"', "'", '\n', 'yes', '~', '.', '😀')
    const text = fc
      .string({ unit: characters, minLength: 1, maxLength: 30 })
      .filter((written) => !/(?:^|\n)\s/.test(written))
    fc.assert(
      fc.property(documentsOf(text), layouts, (value, layout) => {
        const text = stringify(value, { ...layout, version: '1.1' })
        expect(read(text)).toEqual(value)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['y', true],
    ['Yes', true],
    ['ON', true],
    ['n', false],
    ['off', false],
    ['yES', 'yES'],
    ['~', null],
    ['', null],
    ['Null', null],
    ['0755', 493],
    ['0o755', 493],
    ['0x1F', 31],
    ['0b101', 5],
    ['1_000', 1000],
    ['-12', -12],
    ['08', 8],
    ['1e3', 1000],
    ['.5', 0.5],
    ['1.', 1],
    ['1_000.5', 1000.5],
    ['1:30', '1:30'],
    ['2020-01-01', '2020-01-01'],
    ['1.2.3', '1.2.3'],
    ['+', '+'],
    ['"1"', '1'],
    ["'y'", 'y'],
    ['!!str 12', '12'],
    ['!!int "12"', 12],
    ['!!binary aGk=', 'hi'],
  ])('reads %s as %j', (text, value) => {
    expect(read(`key: ${text}`)).toEqual({ key: value })
  })

  it('converts keys to strings: numbers and all spellings of booleans', () => {
    expect(read('1: a\ny: b\n1.5: c\n"on": d\n')).toEqual({
      '1': 'a',
      true: 'b',
      '1.5': 'c',
      on: 'd',
    })
  })

  it('sorts keys, so errors are in the order of the names', () => {
    expect(Object.keys(read('b: 1\nc: 2\na: 3\n') as object)).toEqual(['a', 'b', 'c'])
    expect(Object.keys(read('{"b":1,"a":2}') as object)).toEqual(['a', 'b'])
  })

  it('reads the first document only', () => {
    expect(read('a: 1\n---\nb: [\n')).toEqual({ a: 1 })
    expect(read('a: 1\n...\ngarbage: [\n')).toEqual({ a: 1 })
    expect(read('---\n---\na: 1\n')).toBeNull()
    expect(read('# nothing\n')).toBeNull()
    expect(read('{} x')).toEqual({})
  })

  it('follows anchors, aliases and merge keys', () => {
    expect(read('a: &x {p: 1}\nb: *x\nc: {<<: *x, q: 2}\n')).toEqual({
      a: { p: 1 },
      b: { p: 1 },
      c: { p: 1, q: 2 },
    })
    expect(read('a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc: {<<: [*x, *y]}\n')).toMatchObject({
      c: { p: 1, q: 2 },
    })
  })

  it.each<[string, Json]>([
    ['1e400', '1e400'],
    ['-1e400', '-1e400'],
    ['9'.repeat(400), '9'.repeat(400)],
    ['0xfffffffffffffffff', '0xfffffffffffffffff'],
    ['0777777777777777777777777', 7.777777777777778e23],
    ['18446744073709551616', 2 ** 64],
  ])('takes a number that is too large for any for text: %s', (text, value) => {
    expect(read(`a: ${text}`)).toEqual({ a: value })
  })

  it.each([
    ['.inf', '.inf'],
    ['-.INF', '-.inf'],
    ['.NaN', '.nan'],
    ['1e39', '.inf'],
    ['1.50', '1.5'],
    ['1e6', '1e+06'],
    ['0.1', '0.1'],
    ['123456789.0', '1.2345679e+08'],
    ['0x10', '16'],
    ['9223372036854775807', '9223372036854775807'],
    ['yes', 'true'],
  ])('writes the key %s as %s', (key, text) => {
    expect(read(`${key}: x`)).toEqual({ [text]: 'x' })
  })

  it('rejects keys beyond 63 bits', () => {
    expect(() => read('12345678901234567890: x')).toThrow(
      'unsupported map key of type: uint64, key: 0xab54a98ceb1f0ad2, value: "x"',
    )
  })

  it('resolves a key that is an alias', () => {
    expect(read('- &k 1.50\n- {*k : x}')).toEqual([1.5, { '1.5': 'x' }])
  })

  it('distinguishes keys of different types', () => {
    for (const text of ['1: x\n"1": z', 'true: x\n"true": z', '1: x\n1.0: z'])
      expect(readYaml(text).duplicates).toEqual([])
    for (const text of ['1: x\n1: z', '1: x\n0x1: z', 'yes: x\ntrue: z'])
      expect(readYaml(text).duplicates).toHaveLength(1)
  })

  it('finds keys repeated by merged maps, wherever they are', () => {
    const repeated = (text: string) => {
      const { value, duplicates } = readYaml(text)
      return { value, lines: warningsOf(duplicates) }
    }
    const already = (line: number) => [`line ${line}: key "a" already set in map`]
    expect(repeated('a: x\n<<: {a: z}')).toEqual({ value: { a: 'z' }, lines: already(2) })
    expect(repeated('<<: {a: z}\na: x')).toEqual({ value: { a: 'x' }, lines: already(2) })
    expect(repeated('<<:\n- {a: x}\n- {a: z}')).toEqual({ value: { a: 'x' }, lines: already(2) })
    expect(repeated('<<: {a: z}\nb: x')).toEqual({ value: { a: 'z', b: 'x' }, lines: [] })
  })

  it('reports repeated keys as one error, and as separate warnings', () => {
    const { value, duplicates } = readYaml('a: 1\nb:\n  c: 1\n  c: 2\na: 3\n')
    expect(value).toEqual({ a: 3, b: { c: 2 } })
    expect(duplicates).toEqual([
      'yaml: unmarshal errors:\n  line 4: key "c" already set in map\n  line 5: key "a" already set in map',
    ])
    expect(warningsOf([...duplicates, 'unknown field "x"'])).toEqual([
      'line 4: key "c" already set in map',
      'line 5: key "a" already set in map',
      'unknown field "x"',
    ])
  })

  it.each([
    ['a: b\n c: d\n', 'line 2: mapping values are not allowed in this context'],
    ['a: b: c\n', 'mapping values are not allowed in this context'],
    ['a: {b: c\n', "line 1: did not find expected ',' or '}'"],
    ['a: [b\n', "line 1: did not find expected ',' or ']'"],
    ['{', 'line 1: did not find expected node content'],
    ['a: "b\n', 'line 2: found unexpected end of stream'],
    ['a: *b\n', "unknown anchor 'b' referenced"],
    ['\ta: b\n', 'found character that cannot start any token'],
    ['a: b\nc: d\n\te: f\n', 'line 3: found a tab character that violates indentation'],
    ['a:\n\tb: c\n', 'line 2: found character that cannot start any token'],
    ['a: @b\n', 'found character that cannot start any token'],
    ['%FOO\n---\na: b\n', 'found unknown directive name'],
    ['a: b\nc\nd: e\n', "line 3: could not find expected ':'"],
    ['a:\n  b: c\n d: e\n', 'line 2: did not find expected key'],
    ['- a\nb: c\n', "line 1: did not find expected '-' indicator"],
    ['a: "\\q"\n', 'found unknown escape character'],
    ['{[a]: b}', 'invalid map key: []interface {}{"a"}'],
    ['{<<: x}', 'map merge requires map or sequence of maps as the value'],
    ['a: \x01\n', 'control characters are not allowed'],
    [`a: ${'['.repeat(20_000)}`, 'exceeded max depth of 10000'],
    // The largest body allowed: the parser must stop early, or the test takes half a minute.
    [`a: ${'['.repeat(3_000_000)}`, 'exceeded max depth of 10000'],
  ])('rejects %j: %s', (text, message) => {
    expect(() => readYaml(text)).toThrow(new YamlSyntaxError(message))
  })

  it('does not expand a short text without limit', () => {
    const level = (name: string, before: string) =>
      `${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]\n`
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefg'].map((name, i) => level(name, 'abcdefg'.charAt(i))).join('')}`
    expect(() => readYaml(bomb)).toThrow('document contains excessive aliasing')
    expect(() => readYaml('a: &a [*a]\n')).toThrow("anchor 'a' value contains itself")
  })

  it('rejects numbers that JSON cannot represent', () => {
    expect(() => readYaml('a: .inf\n')).toThrow('json: unsupported value: +Inf')
    expect(() => readYaml('a: .nan\n')).toThrow('json: unsupported value: NaN')
  })

  it.each<[text: string, value: Json]>([
    ['a: [\n"x",\nz\n]\nb: 2', { a: ['x', 'z'], b: 2 }],
    ['a:\n  b: {\nc: 1}\n  d: 2', { a: { b: { c: 1 }, d: 2 } }],
    ['- [ # first\na]\n', [['a']]],
    ['a: "x\ny"\nb: \'p\nq\'\n', { a: 'x y', b: 'p q' }],
    ['a: [\n\t1]', { a: [1] }],
    ["a: it's\n  [so\nb: {\nc: 1}", { a: "it's [so", b: { c: 1 } }],
  ])('cares for no indentation inside brackets and quotes: %j', (text, value) => {
    expect(read(text)).toEqual(value)
  })

  it.each<[text: string, value: Json]>([
    ['  a: 1\nb: 2\n', { a: 1 }],
    ['  - a\n- b\n', ['a']],
    ['  a: 1\n]', { a: 1 }],
    ['{a: 1}\nb', { a: 1 }],
  ])('ignores text to the left of the start, or after an end: %j', (text, value) => {
    expect(read(text)).toEqual(value)
  })

  it.each([
    ['\t', 'yaml: found character that cannot start any token'],
    ['# c\n \t\n', 'yaml: line 2: found character that cannot start any token'],
    ['- \ta', 'yaml: found character that cannot start any token'],
    ['a: "x"\n\t\nb: 2', 'yaml: line 2: found character that cannot start any token'],
    ['a: 1\n\t\nb: 2', 'yaml: line 2: found a tab character that violates indentation'],
    ['a:\n  b: 1\n \t\n  c: 2', 'yaml: line 3: found a tab character that violates indentation'],
    [
      'a: |\n  x\n\t\n',
      'yaml: line 3: found a tab character where an indentation space is expected',
    ],
  ])('rejects a tab where a token may begin, even on a line of its own: %j', (text, message) => {
    expect(() => read(text)).toThrow(new Error(message))
  })

  it('accepts tabs elsewhere', () => {
    expect(read('a:\t1\t\nb: "\t"\nc: [\t2,\n\t3]\nd: |\n  y\tx\n')).toEqual({
      a: 1,
      b: '\t',
      c: [2, 3],
      d: 'y\tx\n',
    })
  })

  it('ends a block with a line break only if the text has one', () => {
    expect([
      read('a: |\n  x'),
      read('a: >\n  x\n  y'),
      read('a: |+\n  x'),
      read('a: |\n  x\n'),
    ]).toEqual([{ a: 'x' }, { a: 'x y' }, { a: 'x' }, { a: 'x\n' }])
  })
})
