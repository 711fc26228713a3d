import fc from 'fast-check'
import { expect } from 'vitest'
import type { Json } from '../../../src/engine/core/object'
import { JsonPathError, parseJsonPath } from '../../../src/engine/encoding/json-path'
import { matchesFields, parseFieldSelector } from '../../../src/engine/selectors/fields'
import {
  matchesLabels,
  parseLabelSelector,
  selectorText,
} from '../../../src/engine/selectors/labels'
import { type FuzzTarget, NAMES, nested, read } from './target'
import { jsonText, pieces } from './texts'

/** Selectors are rejected by plain errors; those of the language itself are failures. */
class ErrorBody extends Error {}
function rejecting<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof Error && error.constructor === Error) throw new ErrorBody(error.message)
    throw error
  }
}

const CHARACTERS = [
  'a',
  'b',
  'in',
  'notin',
  ' in (',
  ' notin (',
  '(',
  ')',
  ',',
  '=',
  '==',
  '!=',
  '!',
  '<',
  '>',
  '1',
  ' ',
  '\\',
  '\\,',
  'metadata.name',
  'example.com/a',
  'é',
  '\u0000',
  ...NAMES,
]

export const selectors: FuzzTarget = {
  name: 'selectors',
  what: 'selectors of labels and fields',
  short: 1500,
  property: fc.property(pieces(CHARACTERS, 14), (text) => {
    const labels = read(() => rejecting(() => parseLabelSelector(text)), [ErrorBody])
    const fields = read(() => rejecting(() => parseFieldSelector(text)), [ErrorBody])
    if (labels !== undefined) {
      expect(typeof matchesLabels(labels, { a: 'b', b: '1' })).toBe('boolean')
      expect(selectorText(parseLabelSelector(selectorText(labels)))).toBe(selectorText(labels))
    }
    if (fields !== undefined) expect(typeof matchesFields(fields, () => 'a')).toBe('boolean')
  }),
}

const PATH_CHARACTERS = [
  '.a',
  '.b',
  '..',
  '*',
  '..*',
  '[*]',
  '[0]',
  '[-1]',
  '[',
  ']',
  '[0:2]',
  '[::0]',
  '[0,1]',
  "['a']",
  '[?(@.a==1)]',
  '[?(@.a)]',
  '[?(',
  '@',
  '==',
  '<',
  '"',
  "'",
  '\\',
  '\\.',
  '{',
  '}',
  '.__proto__',
  '.constructor',
]
const path = fc.oneof(
  { weight: 9, arbitrary: pieces(PATH_CHARACTERS, 12) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      nested('[?(@', ')]', 3000, '.a'),
      '..*'.repeat(40),
      '[0]'.repeat(100_000),
      `['${'a'.repeat(100_000)}`,
    ),
  },
)
const document = fc.oneof(
  { weight: 9, arbitrary: jsonText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      nested('{"a":', '}', 400, '[1,2]'),
      nested('[', ']', 400, '1'),
      `[${Array(3000).fill('{"a":[1]}').join(',')}]`,
    ),
  },
)

export const jsonPath: FuzzTarget = {
  name: 'jsonpath',
  what: 'paths of printer columns',
  short: 500,
  property: fc.property(path, document, (text, json) => {
    const find = read(() => parseJsonPath(text), [JsonPathError])
    if (find !== undefined)
      expect(find(JSON.parse(json) as Json).length).toBeLessThanOrEqual(100_000)
  }),
}
