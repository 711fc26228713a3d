import type { Expression } from './ast'
import type { Source } from './source'

/** In UTF-16 units; the end is exclusive. */
export interface Span {
  start: number
  end: number
}

export class Spans {
  private readonly byPart = new Map<Expression, Span>()

  constructor(private readonly source: Source) {}

  /** Keeps a part's first span, which excludes parentheses. @param start in code points */
  note(part: Expression, start: number, end: number): void {
    if (!this.byPart.has(part))
      this.byPart.set(part, { start: this.source.offsetOf(start), end: this.source.offsetOf(end) })
  }

  /** @returns undefined for parts that macros add */
  of(part: Expression): Span | undefined {
    return this.byPart.get(part)
  }
}
