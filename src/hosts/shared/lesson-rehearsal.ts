/**
 * Runs a lesson without a learner: on a separate cluster in memory with simulated time, it sends
 * the solutions' requests and evaluates the checks.
 */

import { append } from '../../engine/core/lists'
import type { JsonObject } from '../../engine/core/object'
import { DEFAULT_RELEASE, parseRelease, type Release } from '../../engine/releases/release'
import { checkStep, isDone, isLike } from '../../lessons/check'
import type { Lesson, Move, Prediction, Step } from '../../lessons/lesson'
import { releaseFor } from '../../lessons/releases'
import { nextTurn } from './environment'
import { RehearsalCluster, type Setting } from './rehearsal-cluster'

/** The number of consecutive completed steps, whose predictions are made on the way. */
async function stepsDone(
  lesson: Lesson,
  room: RehearsalCluster,
  begun: number,
  predicted: Set<Step>,
): Promise<number> {
  let done = begun
  for (const step of lesson.steps.slice(begun)) {
    if (step.predict !== undefined && !predicted.has(step)) {
      predicted.add(step)
      await room.request(step.predict.request)
    }
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
    const predicted = new Set<Step>()
    let done = await stepsDone(lesson, room, 0, predicted)
    for (const move of moves) {
      await room.move(move)
      done = await stepsDone(lesson, room, done, predicted)
    }
    return done
  } finally {
    await room.close()
  }
}

/**
 * Returns the errors of a lesson; a valid one has none:
 * - No step is complete at the start.
 * - Each prediction has one choice that matches the response.
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
  const atStart = await doneAtStart(lesson, setting)
  if (atStart > 0) problems.push(`${atStart} of its steps are done before it begins`)
  append(problems, await problemsOfSolution(lesson, setting))
  if (lesson.wrong.length === 0) return problems
  if ((await stepsPlayed(lesson, lesson.wrong, setting)) === lesson.steps.length)
    problems.push('its wrong solution finishes it')
  return problems
}

async function doneAtStart(lesson: Lesson, setting: Setting): Promise<number> {
  const first = lesson.steps.findIndex(({ predict }) => predict !== undefined)
  const steps = first === -1 ? lesson.steps : lesson.steps.slice(0, first)
  return stepsPlayed({ ...lesson, steps }, [], setting)
}

async function problemsOfSolution(lesson: Lesson, setting: Setting): Promise<string[]> {
  const problems: string[] = []
  const room = await RehearsalCluster.with(lesson.start.objects, setting)
  try {
    for (const step of lesson.steps) {
      if (step.predict !== undefined)
        append(problems, await problemsOfPrediction(step.predict, room))
      if (step.checks.length === 0) continue
      if (await isDone(step, room.evidence()))
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

async function problemsOfPrediction(
  { question, request, choices }: Prediction,
  room: RehearsalCluster,
): Promise<string[]> {
  const response = await room.request(request)
  const right = choices.filter(({ is }) => isLike(response as unknown as JsonObject, is))
  if (right.length === 1) return []
  const { code, body } = response
  return [`"${question}": ${right.length} choices match ${code} ${String(body.message ?? '')}`]
}
