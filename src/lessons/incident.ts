/**
 * A broken cluster as data. A seed draws its names and numbers. It is solved when its checks hold,
 * however the cluster got there.
 */
import { entryOf, isJsonObject, type Json, type JsonObject } from '../engine/core/object'
import { BOUNDS } from './bounds'
import type { Check } from './lesson'
import { isDeeperThan } from './read'
import { LessonError, Reading } from './reading'

export interface Incident {
  /** Part of addresses and workspace names: `endless-restarts`. */
  id: string
  title: string
  /** At most ten. */
  minutes: number
  /** Shown afterwards: `Title: https://…` */
  rules: string
  /** Oldest first; absent for all since 1.31. */
  releases?: readonly string[]
  /** The pager message, which does not name the cause. */
  story: string
  /** The values of `${name}` from which a seed selects; those of a mapping are `${name.member}`. */
  draw?: Readonly<Record<string, readonly Json[]>>
  start: {
    /** YAML. */
    objects: string
    /** Command lines of kubectl, after the objects. */
    run?: readonly string[]
    /** Simulated seconds, after the commands. */
    wait?: number
  }
  solved: {
    /** Simulated seconds for which all checks must hold. */
    hold: number
    checks: readonly Check[]
  }
  hints: readonly [string, string, string]
  /** Command lines of kubectl. */
  shortest: readonly string[]
  /** Shown afterwards: what was broken, and why. */
  cause: string
}

/** A workspace name has at most 40 characters: `incident-ID-9999`. */
const LONGEST_ID = 26
export const MOST_SEED = 9999
const MOST_SECONDS = 3600
const MEMBERS = {
  incident: [
    'id',
    'title',
    'minutes',
    'rules',
    'releases',
    'story',
    'draw',
    'start',
    'solved',
    'hints',
    'shortest',
    'cause',
  ],
  start: ['objects', 'run', 'wait'],
  solved: ['hold', 'checks'],
}

/** With the names and numbers of a seed. */
export function incidentOf(incident: Incident, seed: number): Incident {
  const { draw, ...rest } = incident
  return filledIn(rest as unknown as JsonObject, valuesOf(draw ?? {}, seed)) as unknown as Incident
}

/** Every name draws independently, so that a new one does not change the others. */
function valuesOf(draw: NonNullable<Incident['draw']>, seed: number): JsonObject {
  const values = Object.entries(draw).map(([name, choices]) => [
    name,
    choices[hashOf(`${name} ${seed}`) % choices.length] ?? '',
  ])
  return Object.fromEntries(values) as JsonObject
}

/** FNV-1a, with its high bits mixed into the low ones. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return (hash ^ (hash >>> 15)) >>> 0
}

const MARK = /\$\{([a-z][a-zA-Z]*)(?:\.([a-z][a-zA-Z]*))?\}/g
const ONLY_MARK = new RegExp(`^${MARK.source}$`)

/** A string that is nothing but a mark gets the value with its type. */
function filledIn(value: Json, values: JsonObject): Json {
  if (typeof value === 'string') {
    const [, name, member] = ONLY_MARK.exec(value) ?? []
    if (name !== undefined) return drawnAt(values, name, member) ?? value
    return value.replace(MARK, (mark, name: string, member?: string) =>
      String(drawnAt(values, name, member) ?? mark),
    )
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, values))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      filledIn(name, values),
      filledIn(member as Json, values),
    ]),
  ) as JsonObject
}

function drawnAt(values: JsonObject, name: string, member?: string): Json | undefined {
  const value = entryOf(values, name)
  if (member === undefined) return isJsonObject(value) ? undefined : value
  return isJsonObject(value) ? entryOf(value, member) : undefined
}

/** @throws LessonError with every error */
export function readIncident(value: Json): Incident {
  if (!isJsonObject(value))
    throw new LessonError([
      { place: '', message: 'an incident is a mapping with id, title, story, start and solved' },
    ])
  if (isDeeperThan(value, BOUNDS.depth))
    throw new LessonError([
      { place: '', message: `it is nested deeper than ${BOUNDS.depth} levels` },
    ])
  const { problems } = new IncidentReading().incident(value)
  if (problems.length > 0) throw new LessonError(problems)
  return value as unknown as Incident
}

class IncidentReading extends Reading {
  incident(value: JsonObject): this {
    this.known(value, MEMBERS.incident, '')
    if (this.draw(value.draw)) {
      const first = incidentOf(value as unknown as Incident, 1)
      this.content(first as unknown as JsonObject)
    }
    return this
  }

  private draw(draw: Json | undefined): boolean {
    if (draw === undefined) return true
    if (!isJsonObject(draw)) {
      this.problem('draw', 'a mapping from names to lists of values')
      return false
    }
    for (const [name, choices] of Object.entries(draw)) {
      if (!/^[a-z][a-zA-Z]*$/.test(name)) this.problem(`draw.${name}`, 'a name of letters')
      if (!Array.isArray(choices) || choices.length === 0 || choices.length > BOUNDS.moves)
        this.problem(`draw.${name}`, `a list of 1 to ${BOUNDS.moves} values`)
    }
    return this.problems.length === 0
  }

  private content(value: JsonObject): void {
    this.head(value, LONGEST_ID)
    this.text(value, 'cause', '', BOUNDS.paragraphs)
    this.start(value.start)
    this.solved(value.solved)
    this.hints(value, '')
    this.lines(value, 'shortest', '')
    this.marks(value, '')
  }

  private start(start: Json | undefined): void {
    if (!isJsonObject(start)) {
      this.problem('start', 'the objects (YAML) at the beginning are missing')
      return
    }
    this.known(start, MEMBERS.start, 'start.')
    this.objects(start.objects)
    if (start.run !== undefined) this.lines(start, 'run', 'start.')
    if (start.wait !== undefined) this.seconds(start, 'wait', 'start.')
  }

  private solved(solved: Json | undefined): void {
    if (!isJsonObject(solved)) {
      this.problem('solved', 'the checks are missing')
      return
    }
    this.known(solved, MEMBERS.solved, 'solved.')
    this.seconds(solved, 'hold', 'solved.')
    this.each(solved.checks, 'solved.checks', BOUNDS.checks, (check, at) => {
      this.check(check, at)
      if (check.kind === 'request' || check.kind === 'event')
        this.problem(`${at}kind`, 'an incident checks the state: object, absent or response')
    })
  }

  private seconds(object: JsonObject, name: string, at: string): void {
    const value = object[name]
    if (typeof value !== 'number' || !(value >= 0 && value <= MOST_SECONDS))
      this.problem(`${at}${name}`, `0 to ${MOST_SECONDS} seconds`)
  }

  private lines(object: JsonObject, name: string, at: string): void {
    const lines = object[name]
    if (!Array.isArray(lines) || lines.length === 0 || lines.length > BOUNDS.moves)
      this.problem(`${at}${name}`, `a list of 1 to ${BOUNDS.moves} command lines`)
    else if (lines.some((line) => typeof line !== 'string' || line.length > BOUNDS.paragraphs))
      this.problem(`${at}${name}`, 'a command line is a string')
  }

  /** A mark without a value is probably a typo. */
  private marks(value: Json, at: string): void {
    if (typeof value === 'string')
      for (const [mark] of value.matchAll(MARK)) this.problem(at, `nothing draws ${mark}`)
    else if (Array.isArray(value))
      for (const [index, item] of value.entries()) this.marks(item, `${at}[${index}]`)
    else if (isJsonObject(value))
      for (const [name, member] of Object.entries(value))
        this.marks(member as Json, at === '' ? name : `${at}.${name}`)
  }
}
