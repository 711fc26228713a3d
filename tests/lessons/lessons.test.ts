/** Every lesson can be finished by its own solution, is not done before it begins, and is not finished by its wrong one. */
import { describe, expect, it } from 'vitest'
import { LESSONS } from '../../src/lessons/catalog'
import { isDone } from '../../src/lessons/check'
import type { Lesson, Move } from '../../src/lessons/lesson'
import { Classroom } from './classroom'

/** How many steps are done, one after the other. */
async function stepsDone(lesson: Lesson, room: Classroom, begun = 0): Promise<number> {
  let done = begun
  for (const step of lesson.steps.slice(begun)) {
    if (!(await isDone(step, room.evidence()))) break
    done++
  }
  return done
}

/** The steps that are done after each move, in turn: a step that was done stays so. */
async function played(lesson: Lesson, moves: readonly Move[]): Promise<number> {
  const room = await Classroom.at(lesson)
  let done = await stepsDone(lesson, room)
  for (const move of moves) {
    await room.move(move)
    done = await stepsDone(lesson, room, done)
  }
  await room.close()
  return done
}

describe.each(LESSONS.map((lesson) => [lesson.title, lesson] as const))('%s', (_, lesson) => {
  it('begins with nothing done', async () => {
    expect(await played(lesson, [])).toBe(0)
  })

  it('is finished by its solution, each step by its own part of it', async () => {
    const room = await Classroom.at(lesson)
    for (const [index, step] of lesson.steps.entries()) {
      expect(await stepsDone(lesson, room, index), `done before its turn: ${step.title}`).toBe(index)
      for (const move of step.solution) await room.move(move)
      expect(await isDone(step, room.evidence()), step.title).toBe(true)
    }
    await room.close()
  })

  it('is not finished by its wrong solution', async () => {
    expect(lesson.wrong.length).toBeGreaterThan(0)
    expect(await played(lesson, lesson.wrong)).toBeLessThan(lesson.steps.length)
  })

  it('fits into ten minutes and says what it teaches', () => {
    expect(lesson.minutes).toBeGreaterThan(0)
    expect(lesson.minutes).toBeLessThanOrEqual(10)
    expect(lesson.id).toMatch(/^[a-z][a-z0-9-]{2,30}$/)
    for (const { hints, checks } of lesson.steps) {
      expect(new Set(hints).size).toBe(3)
      expect(checks.length).toBeGreaterThan(0)
    }
  })
})

it('no two lessons have one name', () => {
  expect(new Set(LESSONS.map(({ id }) => id)).size).toBe(LESSONS.length)
})
