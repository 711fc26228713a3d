/** The places of parts in the text, for tools that show expressions. */
import type { Expression } from './ast'
import type { Source } from './source'

/** A range of UTF-16 units; the end is exclusive. */
export interface Span {
  start: number
  end: number
}

export class Spans {
  private readonly byPart = new Map<Expression, Span>()

  constructor(private readonly source: Source) {}

  /** Records a place in code points. The first one stays, so parentheses do not count. */
  note(part: Expression, start: number, end: number): void {
    if (!this.byPart.has(part))
      this.byPart.set(part, { start: this.source.offsetOf(start), end: this.source.offsetOf(end) })
  }

  /** Returns undefined for a part that a macro adds. */
  of(part: Expression): Span | undefined {
    return this.byPart.get(part)
  }
}
