/** Validates a lesson member by member, so that every error has a position. */
import { isJsonObject, type Json, type JsonObject } from '../engine/core/object'
import { readPattern } from '../engine/schema/patterns/pattern-cache'
import { PatternError } from '../engine/schema/patterns/pattern-node'
import { BOUNDS } from './bounds'
import type { Lesson } from './lesson'
import { pathProblem } from './paths'
import { startObjects } from './start'

export interface LessonProblem {
  /** `steps[0].hints`; empty for the lesson as a whole. */
  place: string
  message: string
}

/** The message lists the errors. */
export class LessonError extends Error {
  constructor(readonly problems: readonly LessonProblem[]) {
    super(
      problems
        .map(({ place, message }) => (place === '' ? message : `${place}: ${message}`))
        .join('\n'),
    )
  }
}

const KINDS = ['object', 'absent', 'request', 'event']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const LANGUAGES = ['yaml', 'typescript']
const REQUEST_TEXTS = ['resource', 'namespace', 'name', 'user']
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
  step: ['title', 'text', 'hints', 'checks', 'solution'],
  check: ['says', 'kind', 'path', 'is', 'isNot'],
  request: ['verb', ...REQUEST_TEXTS, 'code', 'message', 'query', 'path'],
  move: ['as', 'method', 'path', 'body', 'contentType', 'status', 'watch', 'compact'],
}
const MOST_PROBLEMS = 50

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
  const { problems } = new Reading().lesson(value)
  if (problems.length > 0) throw new LessonError(problems)
  const { start } = value as { start: JsonObject }
  return {
    ...(value as unknown as Lesson),
    start: { objects: String(start.objects), files: (start.files ?? []) as never },
  }
}

const isReleaseName = (value: Json): boolean =>
  typeof value === 'string' && /^1\.\d{1,2}$/.test(value)

function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    levels === 0 || Object.values(value).some((member) => isDeeperThan(member as Json, levels - 1))
  )
}

class Reading {
  readonly problems: LessonProblem[] = []

  private problem(place: string, message: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ place, message })
  }

  lesson(value: JsonObject): this {
    this.known(value, MEMBERS.lesson, '')
    for (const name of ['title', 'about', 'rules'])
      this.text(value, name, '', name === 'title' ? BOUNDS.title : BOUNDS.words)
    for (const name of ['story', 'after']) this.text(value, name, '', BOUNDS.paragraphs)
    if (typeof value.id !== 'string' || !/^[a-z][a-z0-9-]{1,29}[a-z0-9]$/.test(value.id))
      this.problem('id', 'small letters, digits and hyphens, 3 to 31 of them')
    if (typeof value.minutes !== 'number' || !(value.minutes >= 1 && value.minutes <= 10))
      this.problem('minutes', '1 to 10')
    const { releases } = value
    if (
      releases !== undefined &&
      !(Array.isArray(releases) && releases.length > 0 && releases.every(isReleaseName))
    )
      this.problem('releases', 'a list of releases as strings: "1.31"')
    this.start(value.start)
    this.each(value.steps, 'steps', BOUNDS.steps, (step, at) => this.step(step, at))
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
    if (typeof objects !== 'string') this.problem('start.objects', 'a YAML string, possibly empty')
    else if (objects.length > BOUNDS.file)
      this.problem('start.objects', `it is longer than ${BOUNDS.file} characters`)
    else this.objects(objects)
    if (files === undefined || (Array.isArray(files) && files.length === 0)) return
    this.each(files, 'start.files', BOUNDS.files, (file, at) => {
      this.known(file, MEMBERS.file, at)
      this.text(file, 'title', at, BOUNDS.title)
      this.text(file, 'text', at, BOUNDS.file)
      if (!LANGUAGES.includes(String(file.language)))
        this.problem(`${at}language`, `one of ${LANGUAGES.join(', ')}`)
    })
  }

  private objects(text: string): void {
    try {
      const { length } = startObjects(text)
      if (length > BOUNDS.objects)
        this.problem('start.objects', `${length} objects; ${BOUNDS.objects} at most`)
    } catch (error) {
      this.problem('start.objects', error instanceof Error ? error.message : String(error))
    }
  }

  private step(step: JsonObject, at: string): void {
    this.known(step, MEMBERS.step, at)
    this.text(step, 'title', at, BOUNDS.title)
    this.text(step, 'text', at, BOUNDS.paragraphs)
    const { hints } = step
    if (
      !Array.isArray(hints) ||
      hints.length !== 3 ||
      hints.some((hint) => typeof hint !== 'string' || hint === '')
    )
      this.problem(`${at}hints`, 'three strings, from a hint to the solution')
    else if (hints.some((hint) => String(hint).length > BOUNDS.words))
      this.problem(`${at}hints`, `one is longer than ${BOUNDS.words} characters`)
    this.each(step.checks, `${at}checks`, BOUNDS.checks, (check, place) => this.check(check, place))
    this.each(step.solution, `${at}solution`, BOUNDS.moves, (move, place) => this.move(move, place))
  }

  private check(check: JsonObject, at: string): void {
    this.known(check, MEMBERS.check, at)
    this.text(check, 'says', at, BOUNDS.words)
    if (!KINDS.includes(String(check.kind))) {
      this.problem(`${at}kind`, `one of ${KINDS.join(', ')}`)
      return
    }
    if (check.kind === 'object' || check.kind === 'absent') this.path(check, at)
    if (check.kind === 'absent') return
    if (!isJsonObject(check.is)) {
      this.problem(`${at}is`, 'what it has to be like is missing')
      return
    }
    if (check.isNot !== undefined) this.isNot(check, at)
    if (check.kind === 'request') this.request(check.is, `${at}is.`)
    else this.patternsIn(check.is, `${at}is`)
  }

  private isNot({ kind, isNot }: JsonObject, at: string): void {
    if (kind !== 'object' || !isJsonObject(isNot))
      this.problem(`${at}isNot`, 'what an object must not be like; for checks of the kind object')
    else this.patternsIn(isNot, `${at}isNot`)
  }

  private request(wanted: JsonObject, at: string): void {
    this.known(wanted, MEMBERS.request, at)
    for (const name of REQUEST_TEXTS)
      if (wanted[name] !== undefined && typeof wanted[name] !== 'string')
        this.problem(`${at}${name}`, 'must be a string')
    const verbs = [wanted.verb ?? 'get'].flat()
    if (verbs.length === 0 || verbs.some((verb) => typeof verb !== 'string'))
      this.problem(`${at}verb`, 'a verb, or a list of verbs')
    if (wanted.message !== undefined) this.pattern(wanted.message, `${at}message`)
    if (wanted.code !== undefined && typeof wanted.code !== 'number')
      this.problem(`${at}code`, 'a number is needed, as 201')
    if (wanted.path !== undefined) this.pattern(wanted.path, `${at}path`)
    if (wanted.query === undefined) return
    if (!isJsonObject(wanted.query)) {
      this.problem(`${at}query`, 'parameters with a pattern, or null, for each')
      return
    }
    for (const [name, pattern] of Object.entries(wanted.query))
      if (pattern !== null) this.pattern(pattern as Json, `${at}query.${name}`)
  }

  /** Strings between slashes are patterns. */
  private patternsIn(value: Json, at: string): void {
    if (typeof value === 'string' && value.length > 1 && /^\/.*\/$/s.test(value))
      this.pattern(value.slice(1, -1), at)
    else if (Array.isArray(value))
      for (const [i, item] of value.entries()) this.patternsIn(item, `${at}[${i}]`)
    else if (isJsonObject(value))
      for (const [name, member] of Object.entries(value))
        this.patternsIn(member as Json, `${at}.${name}`)
  }

  private pattern(pattern: Json, at: string): void {
    if (typeof pattern !== 'string') {
      this.problem(at, 'a pattern is a string')
      return
    }
    if (pattern.length > BOUNDS.pattern) {
      this.problem(at, `a pattern of more than ${BOUNDS.pattern} characters`)
      return
    }
    const read = readPattern(pattern)
    if (read instanceof PatternError) this.problem(at, read.message)
  }

  private move(move: JsonObject, at: string): void {
    this.known(move, MEMBERS.move, at)
    if (!METHODS.includes(String(move.method)))
      this.problem(`${at}method`, `one of ${METHODS.join(', ')}`)
    this.path(move, at)
    if (move.body !== undefined && !isJsonObject(move.body) && !Array.isArray(move.body))
      this.problem(`${at}body`, 'an object, or the list of a JSON Patch')
    for (const name of ['as', 'contentType'])
      if (move[name] !== undefined && typeof move[name] !== 'string')
        this.problem(`${at}${name}`, 'must be a string')
    for (const name of ['watch', 'compact'])
      if (move[name] !== undefined && typeof move[name] !== 'boolean')
        this.problem(`${at}${name}`, 'true or false')
    if (move.status !== undefined && typeof move.status !== 'number')
      this.problem(`${at}status`, 'a number is needed, as 409')
  }

  private path(object: JsonObject, at: string): void {
    if (!this.text(object, 'path', at, BOUNDS.words)) return
    const problem = pathProblem(String(object.path))
    if (problem) this.problem(`${at}path`, problem)
  }

  private text(object: JsonObject, name: string, at: string, longest: number): boolean {
    const value = object[name]
    if (typeof value !== 'string' || value === '')
      this.problem(`${at}${name}`, 'a string is required')
    else if (value.length > longest)
      this.problem(`${at}${name}`, `it is longer than ${longest} characters`)
    else return true
    return false
  }

  private each(
    list: Json | undefined,
    at: string,
    most: number,
    read: (item: JsonObject, at: string) => void,
  ): void {
    if (!Array.isArray(list) || list.length === 0) {
      this.problem(at, 'a list with at least one entry is missing')
      return
    }
    if (list.length > most) {
      this.problem(at, `${list.length} entries; ${most} at most`)
      return
    }
    for (const [i, item] of list.entries())
      if (isJsonObject(item)) read(item, `${at}[${i}].`)
      else this.problem(`${at}[${i}]`, 'must be an object')
  }

  /** An unknown member is probably a typo. */
  private known(object: JsonObject, names: readonly string[], at: string): void {
    for (const name of Object.keys(object))
      if (!names.includes(name))
        this.problem(`${at}${name}`, `unknown field; expected ${names.join(', ')}`)
  }
}
