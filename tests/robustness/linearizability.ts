/**
 * Whether there is an order of the operations on one object that explains every response: each takes effect at one moment between
 * its call and its return (Herlihy and Wing, 1990). The search is that of Wing and Gong (1993) with Lowe's memory of failed states.
 * It uses only calls, responses and their revisions, which must grow with every write.
 */
import { type Content, contentText, type Intent, type Operation, type State } from './history'

/** The object according to the responses so far; undefined if it does not exist. */
interface Known extends Content {
  text: string
  /** undefined: written without a response, no one has seen it yet. */
  revision: number | undefined
  uid: string | undefined
  /** It is greater than this. */
  above: number
}

/** No further: a history that takes so many steps has not been checked. */
const MAXIMUM_STEPS = 2_000_000

export type Verdict =
  | { type: 'linearizable' }
  | { type: 'undecided' }
  | { type: 'broken'; stuck: Operation[] }

/**
 * @param operations on one key, in order of their calls
 * @returns `broken` with the operations that no order could go on with where the longest order ended
 */
export function linearizable(operations: readonly Operation[]): Verdict {
  const search = new Search(operations)
  if (search.run()) return { type: 'linearizable' }
  return search.steps > MAXIMUM_STEPS
    ? { type: 'undecided' }
    : { type: 'broken', stuck: search.stuck }
}

class Search {
  steps = 0
  stuck: Operation[] = []
  private furthest = -1
  private readonly taken: Uint8Array
  private readonly failed = new Set<string>()
  /** Operations with a response that are not ordered yet. */
  private open: number

  constructor(private readonly operations: readonly Operation[]) {
    this.taken = new Uint8Array(operations.length)
    this.open = operations.filter(({ result }) => result.type !== 'unknown').length
  }

  run(): boolean {
    return this.from(0, undefined, 0)
  }

  /**
   * @param first everything before it has its place
   * @param above the revision that writes are behind
   */
  private from(first: number, known: Known | undefined, above: number): boolean {
    if (this.open === 0) return true
    if (++this.steps > MAXIMUM_STEPS) return false
    let begin = first
    while (this.taken[begin] === 1) begin++
    const candidates = this.candidates(begin)
    // A read that the state explains can take its place at once: it keeps nothing else from its own.
    for (const index of candidates) {
      const operation = this.operations[index] as Operation
      const next = effect(known, above, operation)
      if (next !== undefined && next.state === known && operation.result.type !== 'unknown')
        return this.take(index, begin, known, above)
    }
    const memory = `${begin}|${this.pattern(begin)}|${known ? `${known.uid} ${known.revision ?? `>${known.above}`} ${known.text}` : above}`
    if (this.failed.has(memory)) return false
    for (const index of candidates) {
      const next = effect(known, above, this.operations[index] as Operation)
      if (next !== undefined && this.take(index, begin, next.state, next.above)) return true
    }
    this.failed.add(memory)
    const placed = this.operations.length - this.open
    if (placed > this.furthest) {
      this.furthest = placed
      this.stuck = candidates.map((index) => this.operations[index] as Operation)
    }
    return false
  }

  private take(index: number, first: number, known: Known | undefined, above: number): boolean {
    const responded = (this.operations[index] as Operation).result.type !== 'unknown'
    this.taken[index] = 1
    if (responded) this.open--
    const found = this.from(first, known, above)
    if (found) return true
    this.taken[index] = 0
    if (responded) this.open++
    return false
  }

  /** What may come next: nothing that was called after something open had returned. Likely ones first: writes by revision, unanswered ones last. */
  private candidates(first: number): number[] {
    let end = Number.POSITIVE_INFINITY
    const found: number[] = []
    for (let index = first; index < this.operations.length; index++) {
      const { called, returned } = this.operations[index] as Operation
      if (called > end) break
      if (this.taken[index] === 1) continue
      found.push(index)
      end = Math.min(end, returned)
    }
    const rank = (index: number): number => {
      const { result } = this.operations[index] as Operation
      if (result.type === 'unknown') return Number.POSITIVE_INFINITY
      return result.type === 'done' && 'revision' in result.state ? result.state.revision : 0
    }
    const inTime = found.filter((index) => (this.operations[index] as Operation).called <= end)
    return inTime.sort((a, b) => (rank(a) === rank(b) ? a - b : rank(a) - rank(b)))
  }

  /** Which operations have their places: all before the first and up to the last of them, but for these. */
  private pattern(first: number): string {
    let last = this.operations.length - 1
    while (last > first && this.taken[last] === 0) last--
    let text = `${last}`
    for (let index = first; index < last; index++) if (this.taken[index] === 0) text += `,${index}`
    return text
  }
}

interface Effect {
  state: Known | undefined
  above: number
}

/** @returns what the operation makes of the state; undefined: it cannot take place here with the response that it got */
function effect(
  known: Known | undefined,
  above: number,
  { intent, result }: Operation,
): Effect | undefined {
  switch (result.type) {
    case 'absent':
      return known === undefined && intent.verb !== 'create' && intent.verb !== 'apply'
        ? { state: known, above }
        : undefined
    case 'exists':
      return known !== undefined && intent.verb === 'create' ? { state: known, above } : undefined
    case 'conflict':
      return known !== undefined && conflicts(known, intent) ? { state: known, above } : undefined
    case 'unknown': {
      if (intent.verb === 'get' || (known && rejectedFor(known, intent))) return undefined
      return written(known, above, intent)
    }
    case 'done':
      return intent.verb === 'get'
        ? read(known, above, result.state as State)
        : responded(known && pinned(known, intent), above, intent, result.state)
  }
}

/** Whether the state may not be what the operation expects. */
function conflicts(known: Known, intent: Intent): boolean {
  const { expected, uid } = { expected: undefined, uid: undefined, ...intent }
  if (expected === undefined && uid === undefined) return false
  return (
    (expected !== undefined && known.revision !== expected) ||
    (uid !== undefined && known.uid !== uid)
  )
}

/** Whether the state cannot be what the operation expects. */
function rejectedFor(known: Known, intent: Intent): boolean {
  const { expected, uid } = { expected: undefined, uid: undefined, ...intent }
  if (
    expected !== undefined &&
    (known.revision === undefined ? expected <= known.above : known.revision !== expected)
  )
    return true
  return uid !== undefined && known.uid !== undefined && known.uid !== uid
}

/** What is expected and was found reports what was not known. */
function pinned(known: Known, intent: Intent): Known | undefined {
  if (rejectedFor(known, intent)) return undefined
  const { expected, uid } = { expected: undefined, uid: undefined, ...intent }
  return { ...known, revision: known.revision ?? expected, uid: known.uid ?? uid }
}

function read(known: Known | undefined, above: number, seen: State): Effect | undefined {
  if (known === undefined || known.text !== contentText(seen)) return undefined
  if (
    known.revision === undefined ? seen.revision <= known.above : known.revision !== seen.revision
  )
    return undefined
  if (known.uid !== undefined && known.uid !== seen.uid) return undefined
  if (known.revision !== undefined && known.uid !== undefined) return { state: known, above }
  return { state: { ...known, revision: seen.revision, uid: seen.uid }, above: seen.revision }
}

/** A write of which nothing is known but that it took place here. @returns undefined if it could not */
function written(known: Known | undefined, above: number, intent: Intent): Effect | undefined {
  const behind = Math.max(above, known?.revision ?? 0)
  const content = contentAfter(known, intent)
  if (content === undefined) return undefined
  if (content === 'deleted') return { state: undefined, above: behind }
  return {
    state: {
      ...content,
      text: contentText(content),
      revision: undefined,
      uid: known?.uid,
      above: behind,
    },
    above: behind,
  }
}

function contentAfter(known: Known | undefined, intent: Intent): Content | 'deleted' | undefined {
  switch (intent.verb) {
    case 'create':
      return known ? undefined : intent.content
    case 'update':
      return known && intent.content
    case 'patch':
      return known && { team: intent.team ?? known.team, data: { ...known.data, ...intent.set } }
    case 'apply':
      return { team: known?.team ?? '', data: { ...known?.data, ...intent.set } }
    case 'delete':
      return known && 'deleted'
    case 'get':
      return undefined
  }
}

function responded(
  known: Known | undefined,
  above: number,
  intent: Intent,
  seen: State | { uid: string },
): Effect | undefined {
  const after = written(known, above, intent)
  if (after === undefined || (known?.uid !== undefined && known.uid !== seen.uid)) return undefined
  if (after.state === undefined) return after
  if (
    !('revision' in seen) ||
    after.state.text !== contentText(seen) ||
    seen.revision <= after.above
  )
    return undefined
  return { state: { ...after.state, revision: seen.revision, uid: seen.uid }, above: seen.revision }
}
