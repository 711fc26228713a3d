import type { CharacterTest } from './characters'
import { type Assertion, PatternError, type PatternNode } from './pattern-node'

export type Instruction =
  | { kind: 'character'; test: CharacterTest }
  | { kind: 'assertion'; assertion: Assertion }
  /** `first` is preferred. */
  | { kind: 'split'; first: number; second: number }
  | { kind: 'jump'; to: number }
  | { kind: 'match' }

/** For nested repetitions. */
const MAX_INSTRUCTIONS = 1_000_000

/** @throws PatternError for a pattern that is too large */
export function assemble(node: PatternNode, pattern: string): Instruction[] {
  return new Assembler(pattern).assemble(node)
}

class Assembler {
  private readonly program: Instruction[] = []

  constructor(private readonly pattern: string) {}

  assemble(node: PatternNode): Instruction[] {
    this.add(node)
    this.program.push({ kind: 'match' })
    return this.program
  }

  private add(node: PatternNode): void {
    if (this.program.length > MAX_INSTRUCTIONS)
      throw new PatternError('expression too large', this.pattern)
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

  /**
   * @param preferNext prefers the next instruction
   * @returns sets the other branch's target
   */
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
