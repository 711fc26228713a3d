import {
  BYTE_ORDER_MARK,
  CARRIAGE_RETURN,
  DOT,
  isBlank,
  isBreak,
  isSpace,
  LINE_FEED,
  LINE_SEPARATOR,
  MINUS,
  PARAGRAPH_SEPARATOR,
} from './chars'

/** `at` in UTF-16 code units, `line` from zero, `column` in characters from zero. */
export interface Mark {
  at: number
  line: number
  column: number
}

const isSecondHalf = (sign: number): boolean => sign >= 0xdc00 && sign <= 0xdfff

export class Cursor {
  at = 0
  line = 0
  column = 0

  constructor(readonly text: string) {
    if (text.charCodeAt(0) === BYTE_ORDER_MARK) this.at = 1
  }

  /** NaN at the end, which equals nothing. */
  get char(): number {
    return this.text.charCodeAt(this.at)
  }

  get atEnd(): boolean {
    return this.at >= this.text.length
  }

  get mark(): Mark {
    return { at: this.at, line: this.line, column: this.column }
  }

  ahead(count: number): number {
    return this.text.charCodeAt(this.at + count)
  }

  skip(): void {
    if (!isSecondHalf(this.char)) this.column++
    this.at++
  }

  skipBreak(): string {
    const { char } = this
    this.at += char === CARRIAGE_RETURN && this.ahead(1) === LINE_FEED ? 2 : 1
    this.line++
    this.column = 0
    return char === LINE_SEPARATOR || char === PARAGRAPH_SEPARATOR
      ? String.fromCharCode(char)
      : '\n'
  }

  skipBlanks(): void {
    while (isBlank(this.char)) this.skip()
  }

  skipComment(): void {
    while (!this.atEnd && !isBreak(this.char)) this.skip()
  }

  /** `---` or `...` at the beginning of a line. */
  get isDocumentMark(): boolean {
    const { char } = this
    if (this.column !== 0 || (char !== MINUS && char !== DOT)) return false
    return this.ahead(1) === char && this.ahead(2) === char && isSpace(this.ahead(3))
  }
}
