/**
 * Linear time: follows all alternatives in parallel, preferred ones first (Thompson's construction,
 * as in RE2).
 */
import { Automaton } from './automaton'
import { assemble, type Instruction } from './instructions'
import type { Assertion } from './pattern-node'
import { parsePattern } from './syntax'

export class Pattern {
  private readonly program: readonly Instruction[]
  private readonly automaton: Automaton | undefined

  constructor(pattern: string) {
    this.program = assemble(parsePattern(pattern), pattern)
    this.automaton = Automaton.of(this.program)
  }

  test(text: string): boolean {
    return this.automaton?.test(text) ?? this.search(codePoints(text), 0, true) !== undefined
  }

  find(text: string): string | undefined {
    const points = codePoints(text)
    const found = this.search(points, 0, false)
    return found && textOf(points, found)
  }

  replaced(text: string, all: boolean, change: (match: string) => string): string {
    const points = codePoints(text)
    const parts: string[] = []
    let from = 0
    for (let at = 0; at <= points.length; ) {
      const found = this.search(points, at, false)
      if (found === undefined) break
      parts.push(textOf(points, { start: from, end: found.start }), change(textOf(points, found)))
      from = found.end
      at = found.end > found.start ? found.end : found.end + 1
      if (!all) break
    }
    return parts.join('') + textOf(points, { start: from, end: points.length })
  }

  findAll(text: string, limit = Number.POSITIVE_INFINITY): string[] {
    const points = codePoints(text)
    const all: string[] = []
    let before = -1
    for (let at = 0; at <= points.length && all.length < limit; ) {
      const found = this.search(points, at, false)
      if (found === undefined) break
      // Skips an empty match right after a match.
      if (found.end > found.start || found.start !== before) all.push(textOf(points, found))
      before = found.end
      at = found.end > at ? found.end : at + 1
      if (found.end === found.start && found.start > at - 1) at = found.end + 1
    }
    return all
  }

  private search(
    points: readonly number[],
    from: number,
    any: boolean,
  ): { start: number; end: number } | undefined {
    const { program } = this
    let threads: Thread[] = []
    let found: { start: number; end: number } | undefined
    for (let at = from; at <= points.length; at++) {
      const next: Thread[] = []
      const entered = new Set<number>()
      const current: Thread[] = []
      for (const thread of threads)
        this.enter(thread.instruction, thread.start, points, at, entered, current)
      if (found === undefined) this.enter(0, at, points, at, entered, current)
      if (current.length === 0 && found !== undefined) break
      for (const { instruction, start } of current) {
        const step = program[instruction] as Instruction
        if (step.kind === 'match') {
          found = { start, end: at }
          // Later threads have lower priority.
          break
        }
        if (step.kind === 'character' && at < points.length && step.test(points[at] as number)) {
          next.push({ instruction: instruction + 1, start })
        }
      }
      if (any && found !== undefined) return found
      threads = next
      if (threads.length === 0 && found !== undefined) break
    }
    return found
  }

  /** In order of preference. */
  private enter(
    first: number,
    start: number,
    points: readonly number[],
    at: number,
    entered: Set<number>,
    threads: Thread[],
  ): void {
    const rest = [first]
    for (let instruction = rest.pop(); instruction !== undefined; instruction = rest.pop()) {
      if (entered.has(instruction)) continue
      entered.add(instruction)
      const step = this.program[instruction] as Instruction
      switch (step.kind) {
        case 'jump':
          rest.push(step.to)
          break
        case 'split':
          rest.push(step.second, step.first)
          break
        case 'assertion':
          if (holds(step.assertion, points, at)) rest.push(instruction + 1)
          break
        default:
          threads.push({ instruction, start })
      }
    }
  }
}

interface Thread {
  instruction: number
  start: number
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) as number)
}

function textOf(points: readonly number[], { start, end }: { start: number; end: number }): string {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCodePoint(points[at] as number)
  return text
}

const NEWLINE = 10

function holds(assertion: Assertion, points: readonly number[], at: number): boolean {
  switch (assertion) {
    case 'textStart':
      return at === 0
    case 'textEnd':
      return at === points.length
    case 'lineStart':
      return at === 0 || points[at - 1] === NEWLINE
    case 'lineEnd':
      return at === points.length || points[at] === NEWLINE
    default:
      return (isWord(points[at - 1]) !== isWord(points[at])) === (assertion === 'wordBoundary')
  }
}

function isWord(code: number | undefined): boolean {
  return code !== undefined && code < 128 && /\w/.test(String.fromCharCode(code))
}
