import fc from 'fast-check'
import { expect } from 'vitest'
import { JsonSyntaxError, readJson } from '../../../src/engine/schema/json-reader'
import { MOST_NESTED, nestsDeeper } from '../../../src/engine/schema/nesting'
import { type FuzzTarget, read } from './target'
import { deepJsonText, jsonText, mutated, pieces } from './texts'

const CHARACTERS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '-',
  '0',
  '1',
  '1e9',
  '.',
  'true',
  'null',
  '\\',
  '\\u12',
  '"a":',
  '"__proto__":',
  ' ',
  '\n',
  '\u0001',
  'é',
]

/** The result of the platform's own parser. */
function byPlatform(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

export const json: FuzzTarget = {
  name: 'json',
  what: 'JSON bodies, which the platform reads too',
  short: 800,
  property: fc.property(
    fc.oneof(mutated(jsonText, CHARACTERS), pieces(CHARACTERS, 30), deepJsonText),
    fc.boolean(),
    (text, shallow) => {
      const found = read(() => readJson(text, shallow ? MOST_NESTED : undefined), [JsonSyntaxError])
      const platform = byPlatform(text)
      if (found === undefined) {
        if (platform !== undefined)
          expect(nestsDeeper(platform.value, shallow ? MOST_NESTED : 9_999)).toBe(true)
        return
      }
      expect(platform).toBeDefined()
      // Halves of surrogate pairs become the replacement character; deep documents are beyond comparing.
      if (text.length < 5000 && !/\\u|[\ud800-\udfff]/.test(text))
        expect(JSON.stringify(found.value)).toBe(JSON.stringify(platform?.value))
    },
  ),
}
