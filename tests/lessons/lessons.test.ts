/** Every lesson can be finished by its own solution, is not done before it begins, and is not finished by its wrong one. */

import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CATALOG, INCIDENT_CATALOG, lessonFiles, readLessonFile } from '../../scripts/lesson-files'
import type { JsonObject } from '../../src/engine/core/object'
import { problemsOf as problemsIn } from '../../src/hosts/shared/lesson-rehearsal'
import { LESSONS } from '../../src/lessons/catalog'
import type { Lesson, Prediction, Step } from '../../src/lessons/lesson'
import { readLesson } from '../../src/lessons/read'
import { LessonError } from '../../src/lessons/reading'
import { readLessonText } from '../../src/lessons/text'
import { jsonObject } from '../support/json-objects'

const problemsOf = (lesson: Lesson) => problemsIn(lesson, setImmediate)

describe.each(LESSONS.map((lesson) => [lesson.title, lesson] as const))('%s', (_, lesson) => {
  it('begins undone, is finished by its solution step by step, and not by its wrong one', async () => {
    expect(await problemsOf(lesson)).toEqual([])
  })

  it('fits into ten minutes and states what it teaches', () => {
    expect(lesson.minutes).toBeGreaterThan(0)
    expect(lesson.minutes).toBeLessThanOrEqual(10)
    expect(lesson.id).toMatch(/^[a-z][a-z0-9-]{2,30}$/)
    for (const { hints, checks, predict } of lesson.steps) {
      expect(new Set(hints).size).toBe(checks.length > 0 ? 3 : 0)
      expect(checks.length > 0 || predict !== undefined).toBe(true)
    }
  })
})

describe('the catalog', () => {
  it('lists each lesson once', () => {
    expect(new Set(LESSONS.map(({ id }) => id)).size).toBe(LESSONS.length)
  })

  it('lists every file, and each file is named after its lesson', () => {
    const files = readdirSync(CATALOG).filter((file) => file.endsWith('.yaml'))
    const lessons = LESSONS.map(({ id }) => `${id}.yaml`)
    expect(files.sort()).toEqual([...lessons, 'index.yaml'].sort())
  })

  it.each(lessonFiles().map((file) => [basename(file), file]))('%s is correct', (_, file) => {
    expect(readLessonText(readFileSync(file, 'utf8')).problems).toEqual([])
  })
})

describe('a file with a mistake', () => {
  it('is reported with the line and the column', () => {
    expect(() => readLessonFile(`${INCIDENT_CATALOG}index.yaml`)).toThrow(
      /index\.yaml:1:1: a lesson is a mapping with id/,
    )
  })
})

describe('the check of lessons', () => {
  const first = LESSONS.find(({ id }) => id === 'everything-is-a-path')
  const like = (change: Partial<Lesson>): Lesson => ({ ...(first as Lesson), ...change })
  const [step] = (first as Lesson).steps

  it('finds a lesson that is done before it begins, one whose solution leads nowhere, and one that the wrong way finishes', async () => {
    if (step === undefined) throw new Error('the first lesson has no steps')
    const easy = {
      ...step,
      checks: [
        { kind: 'absent', path: '/api/v1/nodes/missing', says: 'missing does not exist' },
      ] as const,
    }
    expect(await problemsOf(like({ steps: [easy] }))).toContain(
      '1 of its steps are done before it begins',
    )
    expect(
      await problemsOf(
        like({ steps: [{ ...step, solution: [{ method: 'GET', path: '/version' }] }] }),
      ),
    ).toContainEqual(expect.stringContaining('its solution does not reach'))
    expect(await problemsOf(like({ steps: [step], wrong: step.solution }))).toContain(
      'its wrong solution finishes it',
    )
  })

  it('finds a prediction for which no choice is right, or more than one', async () => {
    const lesson = LESSONS.find(({ id }) => id === 'names-and-uids') as Lesson
    const [one] = lesson.steps
    const choices = (...is: readonly JsonObject[]) =>
      problemsOf({
        ...lesson,
        wrong: [],
        steps: [
          {
            ...(one as Step),
            predict: {
              ...(one?.predict as Prediction),
              choices: is.map((content) => ({ says: 'x', is: content })),
            },
          },
        ],
      })
    expect(await choices({ code: 409 }, { code: 201 })).toEqual([])
    expect(await choices({ code: 201 })).toEqual([expect.stringContaining('0 choices match 409')])
    expect(await choices({ code: 409 }, {})).toEqual([
      expect.stringContaining('2 choices match 409'),
    ])
  })

  it('reads a step that only predicts, and reports what its prediction lacks', () => {
    const { steps, ...rest } = JSON.parse(JSON.stringify(first)) as Lesson
    const predict = (prediction: JsonObject) =>
      readLesson(jsonObject({ ...rest, steps: [{ title: 'a', predict: prediction }] }))
    const request = { method: 'GET', path: '/version' }
    const complete = { question: 'q', request, choices: [{ says: 'a', is: {} }], because: 'b' }
    expect(steps.length).toBeGreaterThan(0)
    expect(predict(complete).steps[0]).toMatchObject({ hints: [], checks: [], solution: [] })
    expect(() => predict({ ...complete, request: { method: 'GET', path: '/~other' } })).toThrow(
      /steps\[0\]\.predict\.request\.path/,
    )
    expect(() => predict({ ...complete, choices: [{ says: 'a' }] })).toThrow(
      /predict\.choices\[0\]\.is/,
    )
  })

  it('reads lessons of others, and names every mistake at its place', () => {
    expect(readLesson(JSON.parse(JSON.stringify(first)))).toEqual(first)
    const mistakes = () =>
      readLesson({
        id: 'X',
        minutes: 30,
        steps: [{ title: 'a', hints: ['one'], checks: [{ kind: 'typed' }] }],
      })
    expect(mistakes).toThrow(LessonError)
    expect(mistakes).toThrow(/id: small letters.*\nminutes: 1 to 10\n/)
    expect(mistakes).toThrow(/steps\[0\]\.hints: three strings/)
    expect(mistakes).toThrow(
      /steps\[0\]\.checks\[0\]\.kind: one of object, absent, response, request, event/,
    )
  })
})
