import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { JsonObject } from '../../src/engine/core/object'
import { toYaml } from '../../src/engine/encoding/yaml'
import { FOLDERS, readRecordings, recordingFiles } from '../conformance/recording-files'

describe('reproduces the layout of every recorded YAML response', () => {
  for (const file of FOLDERS.flatMap((folder) => recordingFiles(folder))) {
    const responses = readRecordings(file).flatMap((recording) =>
      recording.steps
        .filter(
          ({ response }) =>
            response.headers['content-type']?.startsWith('application/yaml') && response.text,
        )
        .map(({ id, response }) => ({
          id: `${recording.name}/${id}`,
          text: response.text as string,
        })),
    )
    if (responses.length === 0) continue
    test(file.name, () => {
      for (const { id, text } of responses) expect(toYaml(parse(text) as JsonObject), id).toBe(text)
    })
  }
})

describe('quotes a string only if it would have another meaning', () => {
  const written = (value: string | number | boolean | null) =>
    toYaml({ k: value }).slice('k: '.length, -1)
  const wordsAndNumbers = [
    '',
    'y',
    'No',
    'ON',
    'null',
    '~',
    '1',
    '-1',
    '0x1f',
    '0o17',
    '1e3',
    '1_000',
    '.5',
    '.inf',
  ]
  const times = ['2024-01-01', '2024-01-01T00:00:00Z', '12:30:45']
  const characters = [
    '- a',
    '#a',
    'a #b',
    'a: b',
    'a:',
    '*a',
    '@a',
    ' a',
    'a ',
    '{a',
    "'a",
    '---',
    '? a',
  ]
  const plain = [
    'a',
    'a:b',
    'a#b',
    '-a',
    '?a',
    '10.0.0.1',
    '10.0.0.1:7001',
    'v1',
    'ä',
    '.',
    'yes!',
    'k:{"name":"a"}',
    '2024-1',
  ]

  test.each([...wordsAndNumbers, ...times])('"%s" in double quotes', (text) =>
    expect(written(text)).toBe(`"${text}"`),
  )
  test.each(characters)("'%s' in single quotes", (text) =>
    expect(written(text)).toBe(`'${text.replaceAll("'", "''")}'`),
  )
  test.each(plain)('%s as it is', (text) => expect(written(text)).toBe(text))
  test('escapes control characters and those beyond the basic plane', () => {
    expect(written('a\tb')).toBe('"a\\tb"')
    expect(written('\u0001\u001b\u00a0"\\x')).toBe('"\\x01\\e\u00a0\\"\\\\x"')
    expect(written('😀')).toBe('"\\U0001F600"')
  })
  test('numbers, booleans and null', () => {
    expect([1, -5, 1.5, 0.00001, 1234567.5, 1e21, true, null].map(written)).toEqual([
      '1',
      '-5',
      '1.5',
      '1e-05',
      '1.2345675e+06',
      '1e+21',
      'true',
      'null',
    ])
  })
})

describe('layout', () => {
  test('writes several lines as a block, whose head specifies the last line break', () => {
    expect(toYaml({ a: 'x\ny\n', b: 'x\ny', c: 'x\n\n', d: ' x\ny', e: '\n' })).toBe(
      'a: |\n  x\n  y\nb: |-\n  x\n  y\nc: |+\n  x\n\nd: |2-\n   x\n  y\ne: |2+\n\n',
    )
  })
  test('folds long strings at the first space after column 80', () => {
    const word = 'x'.repeat(39)
    expect(toYaml({ k: `${word} ${word} ${word} y` })).toBe(`k: ${word} ${word}\n  ${word} y\n`)
  })
  test('sorts keys in natural order', () => {
    const keys = toYaml({ a10: 1, a2: 1, A: 1, '.': 1, 'a.b': 1, a: 1, _: 1 }).match(/^.+(?=:)/gm)
    expect(keys).toEqual(['.', '_', 'A', 'a', 'a.b', 'a2', 'a10'])
  })
  test('does not indent sequences under their key', () => {
    expect(toYaml({ a: [{ b: 1, c: [1, [2, 3]] }, {}, []] })).toBe(
      'a:\n- b: 1\n  c:\n  - 1\n  - - 2\n    - 3\n- {}\n- []\n',
    )
  })
  test('writes a key of more than 128 characters on its own line', () => {
    const key = 'k'.repeat(129)
    expect(toYaml({ [key]: { a: 1 } })).toBe(`? ${key}\n: a: 1\n`)
  })
  test('round-trips any value', () => {
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.string(),
        fc.constantFrom('a b '.repeat(30).trim(), 'x\ny', 'a  b'.repeat(30)),
        fc.boolean(),
        fc.constant(null),
        fc.integer(),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(fc.stringMatching(/^[a-z.:/-]{1,12}$/), tie('value'), { maxKeys: 4 }),
    }))
    fc.assert(
      fc.property(json.object, (object) => {
        expect(parse(toYaml(object as JsonObject))).toEqual(JSON.parse(JSON.stringify(object)))
      }),
    )
  })
})
