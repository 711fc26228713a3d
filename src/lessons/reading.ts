/** Validates what lessons and incidents have in common. Every error has a position. */
import { isJsonObject, type Json, type JsonObject } from '../engine/core/object'
import { readPattern } from '../engine/schema/patterns/pattern-cache'
import { PatternError } from '../engine/schema/patterns/pattern-node'
import { BOUNDS } from './bounds'
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

const KINDS = ['object', 'absent', 'response', 'request', 'event']
const REQUEST_TEXTS = ['resource', 'namespace', 'name', 'user']
const CHECK = ['says', 'kind', 'path', 'is', 'isNot', 'method', 'body', 'contentType', 'as']
const REQUEST = ['verb', ...REQUEST_TEXTS, 'code', 'message', 'query', 'path']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const MOST_PROBLEMS = 50

const isReleaseName = (value: Json): boolean =>
  typeof value === 'string' && /^1\.\d{1,2}$/.test(value)

export class Reading {
  readonly problems: LessonProblem[] = []

  protected problem(place: string, message: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ place, message })
  }

  /** Members with which lessons and incidents begin. */
  protected head(value: JsonObject, longestId: number): void {
    this.text(value, 'title', '', BOUNDS.title)
    this.text(value, 'rules', '', BOUNDS.words)
    this.text(value, 'story', '', BOUNDS.paragraphs)
    const { id, minutes, releases } = value
    if (typeof id !== 'string' || !/^[a-z][a-z0-9-]+[a-z0-9]$/.test(id) || id.length > longestId)
      this.problem('id', `small letters, digits and hyphens, 3 to ${longestId} of them`)
    if (typeof minutes !== 'number' || !(minutes >= 1 && minutes <= 10))
      this.problem('minutes', '1 to 10')
    if (
      releases !== undefined &&
      !(Array.isArray(releases) && releases.length > 0 && releases.every(isReleaseName))
    )
      this.problem('releases', 'a list of releases as strings: "1.31"')
  }

  protected hints({ hints }: JsonObject, at: string): void {
    if (
      !Array.isArray(hints) ||
      hints.length !== 3 ||
      hints.some((hint) => typeof hint !== 'string' || hint === '')
    )
      this.problem(`${at}hints`, 'three strings, from a hint to the solution')
    else if (hints.some((hint) => String(hint).length > BOUNDS.words))
      this.problem(`${at}hints`, `one is longer than ${BOUNDS.words} characters`)
  }

  protected objects(objects: Json | undefined): void {
    if (typeof objects !== 'string') this.problem('start.objects', 'a YAML string, possibly empty')
    else if (objects.length > BOUNDS.file)
      this.problem('start.objects', `it is longer than ${BOUNDS.file} characters`)
    else this.parsedObjects(objects)
  }

  private parsedObjects(text: string): void {
    try {
      const { length } = startObjects(text)
      if (length > BOUNDS.objects)
        this.problem('start.objects', `${length} objects; ${BOUNDS.objects} at most`)
    } catch (error) {
      this.problem('start.objects', error instanceof Error ? error.message : String(error))
    }
  }

  protected check(check: JsonObject, at: string): void {
    this.known(check, CHECK, at)
    this.text(check, 'says', at, BOUNDS.words)
    if (!KINDS.includes(String(check.kind))) {
      this.problem(`${at}kind`, `one of ${KINDS.join(', ')}`)
      return
    }
    if (check.kind === 'response') this.probe(check, at)
    else if (check.kind === 'object' || check.kind === 'absent') this.path(check, at)
    if (check.kind === 'absent') return
    if (!isJsonObject(check.is)) {
      this.problem(`${at}is`, 'what it has to be like is missing')
      return
    }
    if (check.isNot !== undefined) this.isNot(check, at)
    if (check.kind === 'request') this.request(check.is, `${at}is.`)
    else this.patternsIn(check.is, `${at}is`)
  }

  /** A check must not change the cluster. */
  private probe(check: JsonObject, at: string): void {
    this.method(check, at)
    this.path(check, at)
    const { method, path } = check
    const isReview = method === 'POST' && /reviews$/.test(String(path))
    if (method !== 'GET' && !isReview && !/[?&]dryRun=All(?:&|$)/.test(String(path)))
      this.problem(`${at}path`, 'a request of a check stores nothing: a review, or ?dryRun=All')
  }

  /** Method, body, content type and user of a request. */
  protected method(request: JsonObject, at: string): void {
    if (!METHODS.includes(String(request.method)))
      this.problem(`${at}method`, `one of ${METHODS.join(', ')}`)
    if (request.body !== undefined && !isJsonObject(request.body) && !Array.isArray(request.body))
      this.problem(`${at}body`, 'an object, or the list of a JSON Patch')
    for (const name of ['as', 'contentType'])
      if (request[name] !== undefined && typeof request[name] !== 'string')
        this.problem(`${at}${name}`, 'must be a string')
  }

  private isNot({ kind, isNot }: JsonObject, at: string): void {
    if (kind !== 'object' || !isJsonObject(isNot))
      this.problem(`${at}isNot`, 'what an object must not be like; for checks of the kind object')
    else this.patternsIn(isNot, `${at}isNot`)
  }

  private request(wanted: JsonObject, at: string): void {
    this.known(wanted, REQUEST, at)
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
  protected patternsIn(value: Json, at: string): void {
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

  protected path(object: JsonObject, at: string): void {
    if (!this.text(object, 'path', at, BOUNDS.words)) return
    const problem = pathProblem(String(object.path))
    if (problem) this.problem(`${at}path`, problem)
  }

  protected text(object: JsonObject, name: string, at: string, longest: number): boolean {
    const value = object[name]
    if (typeof value !== 'string' || value === '')
      this.problem(`${at}${name}`, 'a string is required')
    else if (value.length > longest)
      this.problem(`${at}${name}`, `it is longer than ${longest} characters`)
    else return true
    return false
  }

  protected each(
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
  protected known(object: JsonObject, names: readonly string[], at: string): void {
    for (const name of Object.keys(object))
      if (!names.includes(name))
        this.problem(`${at}${name}`, `unknown field; expected ${names.join(', ')}`)
  }
}
