/** Lesson files: every mistake is reported with its position, and sizes are limited. */
import { describe, expect, it } from 'vitest'
import { decodeLesson, encodeLesson } from '../../src/app/features/lessons/link'
import { TEMPLATE } from '../../src/app/features/lessons/template'
import { problemsOf } from '../../src/hosts/shared/lesson-rehearsal'
import { BOUNDS } from '../../src/lessons/bounds'
import { LESSONS } from '../../src/lessons/catalog'
import { isLike } from '../../src/lessons/check'
import { pathProblem } from '../../src/lessons/paths'
import { lessonText, readLessonText } from '../../src/lessons/text'

const changed = (old: string, now: string): string => {
  expect(TEMPLATE).toContain(old)
  return TEMPLATE.replace(old, now)
}
const linesOf = (text: string): string[] =>
  readLessonText(text).problems.map(({ line, message }) => `${line}: ${message}`)
const lineOf = (part: string): number =>
  TEMPLATE.slice(0, TEMPLATE.indexOf(part)).split('\n').length

describe('a lesson as a text', () => {
  it('is what a new one begins with, and that is sound', async () => {
    const { lesson, problems } = readLessonText(TEMPLATE)
    expect(problems).toEqual([])
    expect(lesson && (await problemsOf(lesson, setImmediate))).toEqual([])
  })

  it.each(LESSONS.map((lesson) => [lesson.id, lesson] as const))(
    '%s comes back as it went',
    (_, lesson) => {
      expect(readLessonText(lessonText(lesson))).toEqual({ lesson, problems: [] })
    },
  )

  it('names the line of a mistake', () => {
    expect(linesOf(changed('minutes: 5', 'minutes: 50'))).toEqual([
      `${lineOf('minutes: 5')}: minutes: 1 to 10`,
    ])
    expect(linesOf(changed('kind: object', 'kind: typed'))).toEqual([
      `${lineOf('kind: object')}: steps[0].checks[0].kind: one of object, absent, response, request, event`,
    ])
  })

  it('reports the position of a missing member', () => {
    const text = changed('        says: The Deployment has two of two replicas.\n', '')
    expect(linesOf(text)).toEqual([
      `${lineOf('kind: object')}: steps[0].checks[0].says: a string is required`,
    ])
  })

  it('rejects an unknown member', () => {
    expect(linesOf(changed('after:', 'afterwards:'))).toEqual([
      `${lineOf('after:')}: afterwards: unknown field; expected id, title, minutes, about, rules, releases, story, start, steps, wrong, after`,
      '1: after: a string is required',
    ])
  })

  it('reports the position of a YAML syntax error', () => {
    const { lesson, problems } = readLessonText('id: a\n\ttitle: b')
    expect(lesson).toBeUndefined()
    expect(problems[0]?.line).toBe(2)
  })

  it('looks into the objects of the start state', () => {
    expect(linesOf(changed('kind: Namespace\n', 'kind: 7\n'))[0]).toMatch(
      /start\.objects: document \d is not an object/,
    )
  })
})

describe('an untrusted lesson', () => {
  it('may not be longer than a lesson is', () => {
    expect(linesOf(`# ${'x'.repeat(BOUNDS.text)}`)).toEqual([
      `1: a lesson of more than ${BOUNDS.text} characters is not read`,
    ])
  })

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['braces', `${'{a: '.repeat(60_000)}`],
    ['dashes', '- '.repeat(100_000)],
    ['levels', Array.from({ length: 600 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['closed brackets', `id: ${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ])('may not be nothing but %s', (_, text) => {
    const { lesson, problems } = readLessonText(text)
    expect(lesson).toBeUndefined()
    expect(problems.length).toBeGreaterThan(0)
  })

  it('may not grow by aliases', () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `a${level + 1}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(', ')}]`,
    )
    const { lesson, problems } = readLessonText(
      `a0: &a0 [x, x, x]\n${levels.join('\n')}\n${TEMPLATE}`,
    )
    expect(lesson).toBeUndefined()
    expect(problems.length).toBeGreaterThan(0)
  })

  it('cannot have more steps, checks or moves than the limits', () => {
    const steps = Array(BOUNDS.steps + 1).fill(readLessonText(TEMPLATE).lesson?.steps[0])
    const { lesson } = readLessonText(TEMPLATE)
    expect(lesson).toBeDefined()
    expect(readLessonText(JSON.stringify({ ...lesson, steps })).problems[0]?.message).toBe(
      `steps: ${BOUNDS.steps + 1} entries; ${BOUNDS.steps} at most`,
    )
  })

  it.each([
    '/api/v1/namespaces/../../../~other/api/v1/pods',
    '/api/v1/%2e%2E/pods',
    '/api/v1/namespaces/a%2fb',
    '/api\\..\\x',
    '//example.com/api',
    'https://example.com/api',
    '/~other/api/v1/pods',
    '/index.html',
    '/api/v1/a b',
  ])('may not name a path out of its own API: %s', (path) => {
    expect(pathProblem(path)).toBeTypeOf('string')
  })

  it.each([
    '/api/v1/namespaces/shop/pods/web-1/log?follow=..',
    '/apis',
    '/version',
    '/openapi/v3/api/v1',
    '/healthz/etcd',
  ])('may name %s', (path) => {
    expect(pathProblem(path)).toBeUndefined()
  })

  it('has patterns that take no longer for being malicious', () => {
    const text = 'a'.repeat(20_000)
    expect(isLike(text, '/^(a+)+$/')).toBe(true)
    expect(isLike(`${text}!`, '/^(a|aa)+$/')).toBe(false)
    expect(linesOf(changed('status: { replicas: 2 }', 'status: "/(?=a)/"'))[0]).toMatch(
      /is\.status: error parsing regexp/,
    )
  })
})

describe('a lesson in a link', () => {
  it('comes back letter by letter', () => {
    expect(decodeLesson(`#${encodeLesson(TEMPLATE)}`)).toBe(TEMPLATE)
    expect(decodeLesson(encodeLesson('ä → 🙂'))).toBe('ä → 🙂')
  })

  it('of today is read by every later version', () => {
    // Made when the format was: it must never change.
    const kept = 'l1=y0yxUshIzcnJVyjPL8pJAQA'
    expect(decodeLesson(kept)).toBe('id: hello world')
  })

  it('explains one that is damaged, too long, or from the future; anything else is not a lesson', () => {
    expect(() => decodeLesson('#l1=%%')).toThrow(/damaged or was cut short/)
    expect(() => decodeLesson(`#${encodeLesson(TEMPLATE).slice(0, 200)}`)).toThrow(
      /damaged or was cut short/,
    )
    expect(() => decodeLesson(`#${encodeLesson('x'.repeat(3 * BOUNDS.text + 1))}`)).toThrow(
      /far too large/,
    )
    expect(() => decodeLesson('#l2=abc')).toThrow(/newer version/)
    expect(decodeLesson('#k1=abc')).toBeUndefined()
    expect(decodeLesson('')).toBeUndefined()
  })
})
