/**
 * Runs a lesson without a learner: on a separate cluster in memory with simulated time, it sends
 * the solutions' requests and evaluates the checks.
 */

import { append } from '../../engine/core/lists'
import { DEFAULT_RELEASE, parseRelease, type Release } from '../../engine/releases/release'
import { checkStep, isDone } from '../../lessons/check'
import type { Lesson, Move } from '../../lessons/lesson'
import { releaseFor } from '../../lessons/releases'
import { nextTurn } from './environment'
import { RehearsalCluster, type Setting } from './rehearsal-cluster'

/** The number of consecutive completed steps. */
async function stepsDone(lesson: Lesson, room: RehearsalCluster, begun = 0): Promise<number> {
  let done = begun
  for (const step of lesson.steps.slice(begun)) {
    if (!(await isDone(step, room.evidence()))) break
    done++
  }
  return done
}

/** As `stepsDone`, after the moves. A completed step stays completed. */
async function stepsPlayed(
  lesson: Lesson,
  moves: readonly Move[],
  setting: Setting,
): Promise<number> {
  const room = await RehearsalCluster.with(lesson.start.objects, setting)
  try {
    let done = await stepsDone(lesson, room)
    for (const move of moves) {
      await room.move(move)
      done = await stepsDone(lesson, room, done)
    }
    return done
  } finally {
    await room.close()
  }
}

/**
 * Returns the errors of a lesson; a valid one has none:
 * - No step is complete at the start.
 * - Each step's solution completes it, and not earlier.
 * - The wrong solution does not complete the lesson.
 * @param turn waits for the next turn of the event loop
 * @param release or the newest one for which the lesson holds, if it does not hold for this one
 * @throws Error if the start state or a move is rejected
 */
export async function problemsOf(
  lesson: Lesson,
  turn: Setting['turn'] = nextTurn,
  release: Release = DEFAULT_RELEASE,
): Promise<string[]> {
  const setting = { turn, release: parseRelease(releaseFor(lesson, release)) ?? release }
  const problems: string[] = []
  const atStart = await stepsPlayed(lesson, [], setting)
  if (atStart > 0) problems.push(`${atStart} of its steps are done before it begins`)
  append(problems, await problemsOfSolution(lesson, setting))
  if ((await stepsPlayed(lesson, lesson.wrong, setting)) === lesson.steps.length)
    problems.push('its wrong solution finishes it')
  return problems
}

async function problemsOfSolution(lesson: Lesson, setting: Setting): Promise<string[]> {
  const problems: string[] = []
  const room = await RehearsalCluster.with(lesson.start.objects, setting)
  try {
    for (const [index, step] of lesson.steps.entries()) {
      if ((await stepsDone(lesson, room, index)) > index)
        problems.push(`"${step.title}" is done before its solution was sent`)
      for (const move of step.solution) await room.move(move)
      for (const { check, holds } of await checkStep(step, room.evidence()))
        if (!holds) problems.push(`"${step.title}": its solution does not reach "${check.says}"`)
    }
    return problems
  } finally {
    await room.close()
  }
}
