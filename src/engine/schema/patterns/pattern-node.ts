import type { CharacterTest } from './characters'

export type Assertion =
  | 'textStart'
  | 'textEnd'
  | 'lineStart'
  | 'lineEnd'
  | 'wordBoundary'
  | 'noWordBoundary'

export type PatternNode =
  | { kind: 'empty' }
  | { kind: 'character'; test: CharacterTest }
  | { kind: 'assertion'; assertion: Assertion }
  | { kind: 'sequence'; parts: PatternNode[] }
  | { kind: 'choice'; alternatives: PatternNode[] }
  | { kind: 'repetition'; of: PatternNode; min: number; max: number; greedy: boolean }

export class PatternError {
  readonly message: string
  constructor(problem: string, where: string) {
    this.message = `error parsing regexp: ${problem}: \`${where}\``
  }
}
