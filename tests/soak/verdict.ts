/**
 * Checks that every watcher received all events once and in order, against the history of the
 * store.
 */
import type { Change } from '../../src/hosts/shared/channel'
import type { Connection, Watched } from './types'
import type { Acknowledged } from './writes'

/** Which changes concern a watcher. */
export interface Concern {
  kind: string
  namespace?: string
  name?: string
  /** The label `lane`, which a number in a name determines. */
  lane?: 'even' | 'odd'
}

const MOST_REPORTED = 5

/** The store's own history: every change, gathered before it is discarded. */
export class History {
  private readonly byKind = new Map<string, Change[]>()
  newest = 0
  count = 0

  /** @throws Error when changes were discarded before they could be gathered */
  add({
    oldest,
    newest,
    changes,
  }: {
    oldest: number
    newest: number
    changes: readonly Change[]
  }): void {
    if (this.newest > 0 && oldest > this.newest)
      throw new Error(`revisions ${this.newest} to ${oldest} were compacted before they were read`)
    for (const change of changes) {
      if (change.revision <= this.newest) continue
      const known = this.byKind.get(change.kind)
      if (known) known.push(change)
      else this.byKind.set(change.kind, [change])
      this.count++
    }
    this.newest = Math.max(this.newest, newest)
  }

  /** Changes behind a revision, up to and with another. */
  between(after: number, last: number, concern: Concern): Change[] {
    const all = this.byKind.get(concern.kind) ?? []
    return all.filter(
      (change) => change.revision > after && change.revision <= last && concerns(change, concern),
    )
  }

  /** @returns a sentence for each acknowledged write that the history does not have */
  missing(acknowledged: readonly Acknowledged[]): string[] {
    const written = new Set<string>()
    for (const [kind, changes] of this.byKind)
      for (const change of changes)
        written.add(
          change.type === 'DELETED'
            ? `${kind} ${keyOf(change)}`
            : `${kind} ${keyOf(change)} ${change.revision}`,
        )
    return acknowledged
      .filter(
        ({ kind, key, deleted, revision }) =>
          !written.has(deleted ? `${kind} ${key}` : `${kind} ${key} ${revision}`),
      )
      .map(
        ({ kind, key, deleted, revision }) =>
          `the ${deleted ? 'deletion' : `write ${revision}`} of ${kind} ${key} was acknowledged and is not in the history`,
      )
  }
}

const keyOf = ({ namespace, name }: Change): string => `${namespace}/${name}`

function concerns(change: Change, { namespace, name, lane }: Concern): boolean {
  if (namespace !== undefined && change.namespace !== namespace) return false
  if (name !== undefined && change.name !== name) return false
  return lane === undefined || laneOf(change.name) === lane
}

function laneOf(name: string): 'even' | 'odd' | undefined {
  const number = /^[a-z]+-(\d+)$/.exec(name)?.[1]
  return number === undefined ? undefined : Number(number) % 2 === 0 ? 'even' : 'odd'
}

/** All that a watcher saw. */
export class Seen {
  readonly connections = new Map<number, Connection>()
  start: Watched['start']
  events = 0

  constructor(
    readonly id: string,
    readonly concern: Concern,
    /** Whether a connection goes on where the one before ended; else each is looked at alone, since its owner lists in between. */
    readonly resumes: boolean,
  ) {}

  add(watched: Watched): void {
    this.start ??= watched.start
    for (const handed of watched.connections) {
      const known = this.connections.get(handed.number)
      this.events += handed.events.length
      if (known === undefined) this.connections.set(handed.number, handed)
      else {
        for (const event of handed.events) known.events.push(event)
        known.problems.push(...handed.problems)
        known.bookmark = handed.bookmark
        known.open = handed.open
      }
    }
  }

  /** @param last the revision up to which everything has to be there; absent: up to what each has seen */
  problems(history: History, last?: number): string[] {
    const all = [...this.connections.values()]
    const rejected = all.flatMap(({ problems }) => problems)
    const streams = this.resumes ? [joined(all, this.start?.revision ?? 0)] : all
    return [...rejected, ...streams.flatMap((stream) => this.compared(stream, history, last))].map(
      (problem) => `${this.id}: ${problem}`,
    )
  }

  private compared(
    { from, events, open }: Connection,
    history: History,
    last: number | undefined,
  ): string[] {
    const seenUpTo = Number(events.at(-1)?.split(' ')[0] ?? from)
    const upTo = last === undefined || !open ? Math.min(seenUpTo, history.newest) : last
    const expected = history
      .between(from, upTo, this.concern)
      .map((change) => `${change.revision} ${change.type} ${keyOf(change)}`)
    const got = events.filter((event) => Number(event.split(' ')[0]) <= upTo)
    if (expected.length === got.length && expected.every((event, index) => event === got[index]))
      return []
    return difference(expected, got)
  }
}

function joined(connections: readonly Connection[], from: number): Connection {
  return {
    number: 0,
    from,
    events: connections.flatMap(({ events }) => events),
    bookmark: 0,
    open: true,
    problems: [],
  }
}

function difference(expected: readonly string[], got: readonly string[]): string[] {
  const wanted = new Set(expected)
  const seen = new Set(got)
  const twice = got.filter((event, index) => got.indexOf(event) !== index && wanted.has(event))
  const reported = (what: string, events: readonly string[]) =>
    events.length === 0
      ? []
      : [`${events.length} ${what}: ${events.slice(0, MOST_REPORTED).join('; ')}`]
  const problems = [
    ...reported(
      'missing',
      expected.filter((event) => !seen.has(event)),
    ),
    ...reported(
      'that never were',
      got.filter((event) => !wanted.has(event)),
    ),
    ...reported('received twice', twice),
  ]
  return problems.length > 0 ? problems : ['events come in another order']
}

/** @returns what a list at the end has, that a start and all events do not lead to, and the other way round */
export function endProblems(seen: Seen, end: Record<string, number>, last: number): string[] {
  const state = new Map(Object.entries(seen.start?.objects ?? {}))
  for (const { events } of seen.connections.values())
    for (const event of events) {
      const [revision, type, key = ''] = event.split(' ')
      if (Number(revision) > last) continue
      if (type === 'DELETED') state.delete(key)
      else state.set(key, Number(revision))
    }
  const wrong = [...new Set([...state.keys(), ...Object.keys(end)])].filter(
    (key) => state.get(key) !== end[key],
  )
  if (wrong.length === 0) return []
  return [
    `${seen.id}: ${wrong.length} objects differ from a list at the end, as ${wrong.slice(0, MOST_REPORTED).join(', ')}`,
  ]
}

/** Growth by a unit of x, of the line that fits best. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  if (points.length < 2) return 0
  const [middleX, middleY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const covariance = points.reduce((sum, [x, y]) => sum + (x - middleX) * (y - middleY), 0)
  const variance = points.reduce((sum, [x]) => sum + (x - middleX) ** 2, 0)
  return variance === 0 ? 0 : covariance / variance
}
