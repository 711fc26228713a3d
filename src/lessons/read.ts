/** Validates a lesson member by member, so that every error has a position. */
import { isJsonObject, type Json, type JsonObject } from '../engine/core/object'
import { BOUNDS } from './bounds'
import type { Lesson } from './lesson'
import { LessonError, Reading } from './reading'

const LANGUAGES = ['yaml', 'typescript']
const LONGEST_ID = 31
const MEMBERS = {
  lesson: [
    'id',
    'title',
    'minutes',
    'about',
    'rules',
    'releases',
    'story',
    'start',
    'steps',
    'wrong',
    'after',
  ],
  start: ['objects', 'files'],
  file: ['title', 'language', 'text'],
  step: ['title', 'predict', 'text', 'hints', 'checks', 'solution'],
  predict: ['question', 'request', 'choices', 'because'],
  choice: ['says', 'is'],
  move: ['as', 'method', 'path', 'body', 'contentType', 'status', 'watch', 'compact'],
}

/** @throws LessonError with every error */
export function readLesson(value: Json): Lesson {
  if (!isJsonObject(value))
    throw new LessonError([
      { place: '', message: 'a lesson is a mapping with id, title, story, start and steps' },
    ])
  if (isDeeperThan(value, BOUNDS.depth))
    throw new LessonError([
      { place: '', message: `it is nested deeper than ${BOUNDS.depth} levels` },
    ])
  const { problems } = new LessonReading().lesson(value)
  if (problems.length > 0) throw new LessonError(problems)
  const { start } = value as { start: JsonObject }
  const { steps, wrong = [], ...rest } = value as unknown as Lesson
  return {
    ...rest,
    start: { objects: String(start.objects), files: (start.files ?? []) as never },
    steps: steps.map((step) => ({ ...NO_TASK, ...step })),
    wrong,
  }
}

/** A step that only predicts. */
const NO_TASK = { text: '', hints: [], checks: [], solution: [] }

const isOnlyPrediction = ({ predict, checks }: JsonObject): boolean =>
  predict !== undefined && (checks === undefined || (Array.isArray(checks) && checks.length === 0))

export function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    levels === 0 || Object.values(value).some((member) => isDeeperThan(member as Json, levels - 1))
  )
}

class LessonReading extends Reading {
  lesson(value: JsonObject): this {
    this.known(value, MEMBERS.lesson, '')
    this.head(value, LONGEST_ID)
    this.text(value, 'about', '', BOUNDS.words)
    this.text(value, 'after', '', BOUNDS.paragraphs)
    this.start(value.start)
    this.each(value.steps, 'steps', BOUNDS.steps, (step, at) => this.step(step, at))
    const { steps } = value
    const onlyPredicts =
      Array.isArray(steps) && steps.every((step) => isJsonObject(step) && isOnlyPrediction(step))
    if (!onlyPredicts)
      this.each(value.wrong, 'wrong', BOUNDS.moves, (move, at) => this.move(move, at))
    return this
  }

  private start(start: Json | undefined): void {
    if (!isJsonObject(start)) {
      this.problem('start', 'the objects (YAML) and files at the beginning are missing')
      return
    }
    this.known(start, MEMBERS.start, 'start.')
    const { objects, files } = start
    this.objects(objects)
    if (files === undefined || (Array.isArray(files) && files.length === 0)) return
    this.each(files, 'start.files', BOUNDS.files, (file, at) => {
      this.known(file, MEMBERS.file, at)
      this.text(file, 'title', at, BOUNDS.title)
      this.text(file, 'text', at, BOUNDS.file)
      if (!LANGUAGES.includes(String(file.language)))
        this.problem(`${at}language`, `one of ${LANGUAGES.join(', ')}`)
    })
  }

  private step(step: JsonObject, at: string): void {
    this.known(step, MEMBERS.step, at)
    this.text(step, 'title', at, BOUNDS.title)
    if (step.predict !== undefined) this.predict(step.predict, `${at}predict`)
    if (isOnlyPrediction(step)) return
    this.text(step, 'text', at, BOUNDS.paragraphs)
    this.hints(step, at)
    this.each(step.checks, `${at}checks`, BOUNDS.checks, (check, place) => this.check(check, place))
    this.each(step.solution, `${at}solution`, BOUNDS.moves, (move, place) => this.move(move, place))
  }

  private predict(predict: Json, at: string): void {
    if (!isJsonObject(predict)) {
      this.problem(at, 'a question, a request and its choices')
      return
    }
    this.known(predict, MEMBERS.predict, `${at}.`)
    this.text(predict, 'question', `${at}.`, BOUNDS.paragraphs)
    this.text(predict, 'because', `${at}.`, BOUNDS.paragraphs)
    if (isJsonObject(predict.request)) this.move(predict.request, `${at}.request.`)
    else this.problem(`${at}.request`, 'a method and a path are missing')
    this.each(predict.choices, `${at}.choices`, BOUNDS.checks, (choice, place) => {
      this.known(choice, MEMBERS.choice, place)
      this.text(choice, 'says', place, BOUNDS.words)
      if (isJsonObject(choice.is)) this.patternsIn(choice.is, `${place}is`)
      else this.problem(`${place}is`, 'what the response has to be like is missing')
    })
  }

  private move(move: JsonObject, at: string): void {
    this.known(move, MEMBERS.move, at)
    this.method(move, at)
    this.path(move, at)
    for (const name of ['watch', 'compact'])
      if (move[name] !== undefined && typeof move[name] !== 'boolean')
        this.problem(`${at}${name}`, 'true or false')
    if (move.status !== undefined && typeof move.status !== 'number')
      this.problem(`${at}status`, 'a number is needed, as 409')
  }
}
