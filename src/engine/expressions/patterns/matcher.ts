/**
 * Finds patterns in texts in time that grows with the length of both and no more: all ways to go on are followed side by side
 * (Thompson's construction, as RE2 does), those that a pattern prefers first.
 */
import type { CharacterTest } from './characters'
import { type Assertion, type PatternNode, parsePattern } from './syntax'

type Instruction =
  | { kind: 'character'; test: CharacterTest }
  | { kind: 'assertion'; assertion: Assertion }
  | { kind: 'split'; first: number; second: number }
  | { kind: 'jump'; to: number }
  | { kind: 'match' }

export class Pattern {
  private readonly program: readonly Instruction[]

  /** @throws PatternError */
  constructor(pattern: string) {
    this.program = new Assembler().assemble(parsePattern(pattern))
  }

  test(text: string): boolean {
    return this.search(codePoints(text), 0, true) !== undefined
  }

  /** The first match; @returns undefined if there is none */
  find(text: string): string | undefined {
    const points = codePoints(text)
    const found = this.search(points, 0, false)
    return found && textOf(points, found)
  }

  /** All matches that do not overlap, at most so many. */
  findAll(text: string, limit = Number.POSITIVE_INFINITY): string[] {
    const points = codePoints(text)
    const all: string[] = []
    let before = -1
    for (let at = 0; at <= points.length && all.length < limit; ) {
      const found = this.search(points, at, false)
      if (found === undefined) break
      // An empty match right behind a match is none.
      if (found.end > found.start || found.start !== before) all.push(textOf(points, found))
      before = found.end
      at = found.end > at ? found.end : at + 1
      if (found.end === found.start && found.start > at - 1) at = found.end + 1
    }
    return all
  }

  private search(points: readonly number[], from: number, any: boolean): { start: number; end: number } | undefined {
    const { program } = this
    let threads: Thread[] = []
    let found: { start: number; end: number } | undefined
    for (let at = from; at <= points.length; at++) {
      const next: Thread[] = []
      const entered = new Set<number>()
      const current: Thread[] = []
      for (const thread of threads) this.enter(thread.instruction, thread.start, points, at, entered, current)
      if (found === undefined) this.enter(0, at, points, at, entered, current)
      if (current.length === 0 && found !== undefined) break
      for (const { instruction, start } of current) {
        const step = program[instruction] as Instruction
        if (step.kind === 'match') {
          found = { start, end: at }
          // What comes behind is less preferred.
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

  /** Follows what takes no character, in the order of preference. */
  private enter(first: number, start: number, points: readonly number[], at: number, entered: Set<number>, threads: Thread[]): void {
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

class Assembler {
  private readonly program: Instruction[] = []

  assemble(node: PatternNode): Instruction[] {
    this.add(node)
    this.program.push({ kind: 'match' })
    return this.program
  }

  private add(node: PatternNode): void {
    switch (node.kind) {
      case 'empty':
        return
      case 'character':
      case 'assertion':
        this.program.push(node)
        return
      case 'sequence':
        for (const part of node.parts) this.add(part)
        return
      case 'choice':
        this.choice(node.alternatives)
        return
      case 'repetition':
        this.repetition(node)
    }
  }

  private choice(alternatives: readonly PatternNode[]): void {
    const ends: { kind: 'jump'; to: number }[] = []
    alternatives.forEach((alternative, index) => {
      if (index === alternatives.length - 1) {
        this.add(alternative)
        return
      }
      const split = this.split(true)
      this.add(alternative)
      const end = { kind: 'jump' as const, to: 0 }
      this.program.push(end)
      ends.push(end)
      split(this.program.length)
    })
    for (const end of ends) end.to = this.program.length
  }

  private repetition({ of, min, max, greedy }: Extract<PatternNode, { kind: 'repetition' }>): void {
    for (let times = 0; times < min; times++) this.add(of)
    if (max === Number.POSITIVE_INFINITY) {
      const start = this.program.length
      const split = this.split(greedy)
      this.add(of)
      this.program.push({ kind: 'jump', to: start })
      split(this.program.length)
      return
    }
    const splits = Array.from({ length: max - min }, () => {
      const split = this.split(greedy)
      this.add(of)
      return split
    })
    for (const split of splits) split(this.program.length)
  }

  /** Two ways: what follows, preferred or not, and a place that is said later. */
  private split(preferNext: boolean): (other: number) => void {
    const next = this.program.length + 1
    const split = { kind: 'split' as const, first: next, second: next }
    this.program.push(split)
    return (other) => {
      if (preferNext) split.second = other
      else split.first = other
    }
  }
}
