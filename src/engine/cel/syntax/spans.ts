/** Where the parts of an expression stand in its text: for tools that show an expression, not for its evaluation. */
import type { Expression } from './ast'
import type { Source } from './source'

/** From the first UTF-16 unit to behind the last. */
export interface Span {
  start: number
  end: number
}

export class Spans {
  private readonly byPart = new Map<Expression, Span>()

  constructor(private readonly source: Source) {}

  /** In code points. Brackets around a part are none of it: what is noted first stays. */
  note(part: Expression, start: number, end: number): void {
    if (!this.byPart.has(part))
      this.byPart.set(part, { start: this.source.offsetOf(start), end: this.source.offsetOf(end) })
  }

  /** @returns undefined for a part that a macro adds */
  of(part: Expression): Span | undefined {
    return this.byPart.get(part)
  }
}
