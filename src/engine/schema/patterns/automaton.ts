/**
 * A lazily built DFA, as in RE2: a state is a set of instructions. Does not support word and line
 * boundaries.
 */
import type { Instruction } from './instructions'

interface State {
  /** Instructions that take a character. */
  waiting: readonly number[]
  matched: boolean
  matchesAtEnd: boolean
  next: (State | undefined)[]
}

const MAX_STATES = 500
const KEPT_CHARACTERS = 128

export class Automaton {
  private readonly states = new Map<string, State>()
  private first: State | undefined

  static of(program: readonly Instruction[]): Automaton | undefined {
    const fits = program.every(
      (step) =>
        step.kind !== 'assertion' || step.assertion === 'textStart' || step.assertion === 'textEnd',
    )
    return fits ? new Automaton(program) : undefined
  }

  private constructor(private readonly program: readonly Instruction[]) {}

  test(text: string): boolean {
    this.first ??= this.state([0], true)
    let state = this.first
    for (let at = 0; at < text.length; ) {
      if (state.matched) return true
      const code = text.codePointAt(at) as number
      at += code > 0xffff ? 2 : 1
      state = this.after(state, code)
    }
    return state.matched || state.matchesAtEnd
  }

  private after(state: State, code: number): State {
    const known = code < KEPT_CHARACTERS ? state.next[code] : undefined
    if (known !== undefined) return known
    const reached: number[] = []
    for (const instruction of state.waiting) {
      const step = this.program[instruction]
      if (step?.kind === 'character' && step.test(code)) reached.push(instruction + 1)
    }
    // The match may also begin after this character.
    reached.push(0)
    const next = this.state(reached, false)
    if (code < KEPT_CHARACTERS) state.next[code] = next
    return next
  }

  private state(entries: readonly number[], atStart: boolean): State {
    const { waiting, matched } = this.closure(entries, atStart, false)
    const key = `${atStart} ${matched} ${waiting.join(' ')}`
    let state = this.states.get(key)
    if (state === undefined) {
      state = {
        waiting,
        matched,
        matchesAtEnd: this.closure(entries, atStart, true).matched,
        next: [],
      }
      if (this.states.size >= MAX_STATES) {
        this.states.clear()
        this.first = undefined
      }
      this.states.set(key, state)
    }
    return state
  }

  /** Follows instructions that take no character. */
  private closure(
    entries: readonly number[],
    atStart: boolean,
    atEnd: boolean,
  ): { waiting: number[]; matched: boolean } {
    const entered = new Set<number>()
    const rest = [...entries]
    let matched = false
    for (let instruction = rest.pop(); instruction !== undefined; instruction = rest.pop()) {
      if (entered.has(instruction)) continue
      entered.add(instruction)
      const step = this.program[instruction] as Instruction
      if (step.kind === 'match') matched = true
      else if (step.kind === 'jump') rest.push(step.to)
      else if (step.kind === 'split') rest.push(step.first, step.second)
      else if (step.kind === 'assertion' && (step.assertion === 'textStart' ? atStart : atEnd))
        rest.push(instruction + 1)
    }
    // States may differ only in assertions at the end of text.
    const waiting = [...entered].filter((instruction) =>
      ['character', 'assertion'].includes(this.program[instruction]?.kind ?? ''),
    )
    return { waiting: waiting.sort((a, b) => a - b), matched }
  }
}
