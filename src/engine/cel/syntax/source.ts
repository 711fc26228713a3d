export interface Issue {
  /** Code points; -1 for the whole text; NO_PLACE. */
  position: number
  message: string
  /** From the lexer, see `locate`. */
  syntax?: true
}

const MAX_ISSUES = 100

/** Of a part that failed to parse. */
export const NO_PLACE = -2

export class Source {
  readonly characters: readonly string[]

  constructor(readonly text: string) {
    this.characters = Array.from(text)
  }

  offsetOf(position: number): number {
    if (this.characters.length === this.text.length) return position
    let offset = 0
    for (let at = 0; at < position; at++) offset += this.characters[at]?.length ?? 0
    return offset
  }

  /**
   * Line from 1, column from 0. Except in the lexer, the start of a line counts for the line before
   * (policy-compile).
   */
  private locate({ position, syntax }: Issue): { line: number; column: number; start: number } {
    if (position === NO_PLACE) return { line: 1, column: -1, start: 0 }
    if (position < 0) return { line: -1, column: -1, start: 0 }
    let line = 1
    let start = 0
    for (let at = 0; at < position && at < this.characters.length; at++) {
      if (this.characters[at] === '\n' && (syntax === true || at + 1 < position)) {
        line++
        start = at + 1
      }
    }
    return { line, column: position - start, start }
  }

  /**
   * The first issues by position (policy-compile), and the number of others (cel-go,
   * common/errors.go).
   */
  describe(issues: readonly Issue[]): string {
    const located = issues.slice(0, MAX_ISSUES).map((issue) => ({ issue, ...this.locate(issue) }))
    located.sort((a, b) => a.line - b.line || a.column - b.column)
    const messages = located.map(({ issue, line, column, start }) =>
      this.describeOne(issue.message, line, column, start),
    )
    if (issues.length > MAX_ISSUES)
      messages.push(`${issues.length - MAX_ISSUES} more errors were truncated`)
    return messages.join('\n')
  }

  private describeOne(message: string, line: number, column: number, start: number): string {
    if (line < 0 || this.characters.length === 0)
      return `ERROR: <input>:${line}:${column + 1}: ${message}`
    let end = this.characters.indexOf('\n', start)
    if (end < 0) end = this.characters.length
    const shown = this.characters.slice(start, end)
    const isWide = (character: string | undefined) => character !== undefined && character > '\x7f'
    const dots = Array.from({ length: Math.min(column, shown.length) }, (_, index) =>
      isWide(shown[index]) ? '．' : '.',
    ).join('')
    const mark = isWide(shown[column]) ? '＾' : '^'
    return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${shown.join('').replaceAll('\t', ' ')}\n | ${dots}${mark}`
  }
}
