import fc from 'fast-check'
import { strToU8, zlibSync } from 'fflate'
import { expect } from 'vitest'
import { lessonFiles, readLessonFile } from '../../../scripts/lesson-files'
import { decodeScenario, encodeScenario } from '../../../src/app/features/share/link'
import type { Json, JsonObject } from '../../../src/engine/core/object'
import { MOST_NESTED, nestsDeeper } from '../../../src/engine/schema/nesting'
import { checkStep, isLike } from '../../../src/lessons/check'
import { readLesson } from '../../../src/lessons/read'
import { LessonError } from '../../../src/lessons/reading'
import { jsonObject } from '../../support/json-objects'
import { type FuzzTarget, NAMES, read } from './target'
import { deepJsonText, jsonText, mutated } from './texts'

const scenarioText = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: jsonText }, { weight: 1, arbitrary: deepJsonText }),
    jsonText,
  )
  .map(
    ([objects, tabs]) =>
      `{"objects":[{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":${objects}}],"tabs":[{"title":"a","text":"","language":"yaml","manager":${tabs}}]}`,
  )
const packed = (text: string): string =>
  `k1=${Buffer.from(zlibSync(strToU8(text)).subarray(2, -4)).toString('base64url')}`
/** Made once: far more than a link may unfold to. */
const BOMB = packed(' '.repeat(33 * 1024 * 1024))
const bomb = fc.constant(BOMB)
const hash = fc.oneof(
  { weight: 6, arbitrary: fc.oneof(scenarioText, jsonText).map(packed) },
  {
    weight: 6,
    arbitrary: mutated(
      fc.constant(
        encodeScenario({ objects: [], tabs: [{ title: 'a', language: 'yaml', text: 'b' }] }),
      ),
      ['k1=', '=', 'A', '_', '%'],
    ),
  },
  { weight: 2, arbitrary: fc.string().map((text) => `k${text}`) },
)

export const links: FuzzTarget = {
  name: 'links',
  what: 'shared links',
  short: 300,
  property: fc.property(
    fc.oneof({ weight: 300, arbitrary: hash }, { weight: 1, arbitrary: bomb }),
    (text) => {
      const scenario = read(() => decodeScenario(text), [Error])
      if (scenario === undefined) return
      expect(nestsDeeper(scenario.objects, MOST_NESTED + 1)).toBe(false)
      for (const { title, language, text: file, manager = '' } of scenario.tabs) {
        expect([typeof title, typeof file, typeof manager]).toEqual(['string', 'string', 'string'])
        expect(['yaml', 'typescript']).toContain(language)
      }
    },
  ),
}

const [lesson] = lessonFiles().map(readLessonFile)
const parts = fc.constantFrom(
  'id',
  'title',
  'minutes',
  'start',
  'steps',
  'wrong',
  'after',
  ...NAMES,
)
const expression = fc.constantFrom(
  '/(a*)*$/',
  '/(a|aa)+$/',
  '/[/',
  '/(?=a)/',
  '/a{1000}{1000}/',
  '/^b/',
)
const pattern = fc.oneof(
  expression,
  jsonText.map((text) => JSON.parse(text) as Json),
)

export const lessons: FuzzTarget = {
  name: 'lessons',
  what: 'lesson files, and what their checks look for',
  short: 200,
  property: fc.asyncProperty(
    fc.array(fc.tuple(parts, jsonText), { maxLength: 3 }),
    pattern,
    async (changes, is) => {
      const value = { ...structuredClone(jsonObject(lesson ?? {})) }
      for (const [name, text] of changes)
        Object.defineProperty(value, name, {
          value: JSON.parse(text),
          enumerable: true,
          configurable: true,
          writable: true,
        })
      const found = read(() => readLesson(value), [LessonError])
      const seen: JsonObject = { type: `${'a'.repeat(5000)}b`, object: { a: 1 } }
      expect(typeof isLike(seen, { type: is })).toBe('boolean')
      const requests = [
        { verb: 'get', requestURI: `/api/${'a'.repeat(5000)}b?x=${'a'.repeat(5000)}b` },
      ]
      for (const step of found?.steps ?? [])
        await checkStep(step, {
          get: async () => seen,
          send: async () => ({ code: 200, body: seen }),
          requests,
          events: [seen],
        })
    },
  ),
}
