import fc from 'fast-check'
import { expect } from 'vitest'
import { CommandError } from '../../../src/console/errors'
import { isUnfinished, readLine } from '../../../src/console/line'
import { relaxedPath } from '../../../src/console/output/custom-columns'
import type { Json } from '../../../src/engine/core/object'
import { JsonPathError } from '../../../src/engine/encoding/json-path-steps'
import { parseJsonPathTemplate } from '../../../src/engine/encoding/json-path-template'
import { type FuzzTarget, NAMES, nested, read } from './target'
import { jsonText, pieces } from './texts'

const WORDS = [
  'kubectl',
  'get',
  'pods',
  '-o',
  '-n',
  '--',
  '-l',
  'a=b',
  "'",
  '"',
  '\\',
  '\n',
  '|',
  '&&',
  ';',
  '<<EOF\n',
  'EOF\n',
  '$(',
  '`',
  '$A',
  '>',
  '<',
  '#',
  '*',
  ' ',
  '\u0000',
  ...NAMES,
]

const CHARACTERS = [
  '{',
  '}',
  '{.items[*]}',
  '{range .items[*]}',
  '{range ',
  '{end}',
  '{"\\n"}',
  '{.a',
  '..',
  '*',
  '[*]',
  '[0]',
  '[-9]',
  '[0:2]',
  '[::0]',
  '[?(@.a==1)]',
  '[?(',
  ')]',
  '@',
  '"',
  "'",
  '\\',
  '{.__proto__}',
  '{$}',
  'text',
]
const template = fc.oneof(
  { weight: 9, arbitrary: pieces(CHARACTERS, 12) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{range .a}'.repeat(2_000),
      nested('{range .a}', '{end}', 2_000, 'x'),
      `{${'..*'.repeat(40)}}`,
      '{'.repeat(5_000),
    ),
  },
)
const document = fc.oneof(
  { weight: 9, arbitrary: jsonText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      nested('{"a":', '}', 400, '[1,2]'),
      `[${Array(2000).fill('{"a":[1]}').join(',')}]`,
    ),
  },
)

export const lines: FuzzTarget = {
  name: 'lines',
  what: "lines of the page's console, and templates of its output",
  short: 800,
  property: fc.property(pieces(WORDS, 14), template, document, (line, text, json) => {
    read(() => readLine(line), [CommandError])
    expect(typeof isUnfinished(line)).toBe('boolean')
    for (const parse of [
      () => parseJsonPathTemplate(text),
      () => parseJsonPathTemplate(text, { strict: true }),
      () => relaxedPath(text),
    ]) {
      const found = read(parse, [JsonPathError, CommandError])
      if (found !== undefined) read(() => found.print(JSON.parse(json) as Json), [JsonPathError])
    }
  }),
}
