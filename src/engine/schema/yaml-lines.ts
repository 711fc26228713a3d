/**
 * How lines begin in YAML, as the real server's scanner sees it, where it differs from the specification that the parser used here
 * keeps to (public behaviour of the release's YAML library, compared on random texts):
 *
 * - inside brackets, braces and quotes indentation means nothing: `a: [` may go on at the very left of the next line;
 * - a tab where a key, an item or a node may begin is an error, even on a line with nothing else on it.
 */

/** A tab where none may be. */
export interface MisplacedTab {
  message: string
  /** Offset in the text. */
  position: number
}

export interface LineBeginnings {
  tab?: MisplacedTab
  /** Lines inside brackets and quotes that stand too far left for the specification, by their offset, and how far. */
  outdented: { at: number; by: number }[]
}

const NO_TOKEN = 'found character that cannot start any token'
const IN_PLAIN = 'found a tab character that violates indentation'
const IN_BLOCK = 'found a tab character where an indentation space is expected'

/**
 * A text may be as long as this with its new spaces, or stays as it is: a hostile one would grow by a thousand for each of a million
 * lines, and is read twice.
 */
const LONGEST = 512 * 1024

/** The same text, its lines in the same places, with those that stand too far left moved to the right. */
export function indented(text: string): string {
  if (text.length > LONGEST) return text
  let result = ''
  let done = 0
  for (const { at, by } of lineBeginnings(text).outdented) {
    result += text.slice(done, at) + ' '.repeat(by)
    done = at
    if (result.length > LONGEST) return text
  }
  return result + text.slice(done)
}

/** Of the first document of a text: nothing is read of what follows it. */
export function lineBeginnings(text: string): LineBeginnings {
  const scanner = new LineScanner(text)
  scanner.document()
  return { outdented: scanner.outdented, ...(scanner.tab ? { tab: scanner.tab } : {}) }
}

const isBlank = (sign: string | undefined): boolean => sign === ' ' || sign === '\t'
const isBreak = (sign: string | undefined): boolean => sign === '\n' || sign === '\r'
/** The end of the text counts as one. */
const isSpace = (sign: string | undefined): boolean => sign === undefined || isBlank(sign) || isBreak(sign)
const FLOW = new Set(['[', ']', '{', '}', ','])

class LineScanner {
  readonly outdented: LineBeginnings['outdented'] = []
  tab: MisplacedTab | undefined
  private at = 0
  private line = 0
  /** Columns of the block collections that are open. */
  private readonly columns: number[] = []
  /** Whether a key, an item or a node may begin. */
  private mayBegin = true
  /** Where what may be a key began, on this line. */
  private key: number | undefined
  private hasContent = false

  constructor(private readonly text: string) {}

  document(): void {
    while (this.at < this.text.length && this.tab === undefined) if (!this.token()) return
  }

  private get sign(): string | undefined {
    return this.text[this.at]
  }

  private get column(): number {
    return this.at - this.line
  }

  private get collection(): number {
    return this.columns.at(-1) ?? -1
  }

  /** @returns whether the document goes on */
  private token(): boolean {
    const { sign } = this
    if (isBreak(sign)) return this.newLine()
    if (sign === '\t' && this.mayBegin) return this.stopAt(NO_TOKEN)
    if (isBlank(sign)) return this.skip(1)
    if (sign === '#') return this.toLineEnd()
    if (this.column === 0) {
      if (sign === '%' && !this.hasContent) return this.toLineEnd()
      if (this.isDocumentMark()) return this.documentMark()
    }
    return this.content(sign as string)
  }

  private content(sign: string): boolean {
    this.hasContent = true
    if (this.mayBegin) while (this.collection > this.column) this.columns.pop()
    const next = this.text[this.at + 1]
    if ((sign === '-' || sign === '?') && this.mayBegin && isSpace(next)) {
      this.open(this.column)
      return this.skip(1)
    }
    if (sign === ':' && isSpace(next)) {
      this.mayBegin = this.key === undefined
      this.open(this.key ?? this.column)
      this.key = undefined
      return this.skip(1)
    }
    if (this.mayBegin) this.key = this.column
    this.mayBegin = false
    if (sign === '"' || sign === "'") this.quoted(sign)
    else if (sign === '[' || sign === '{') this.flow()
    else if (sign === '|' || sign === '>') this.blockScalar()
    else if (sign === '&' || sign === '*' || sign === '!') this.run(() => !isSpace(this.sign))
    else this.plain()
    return true
  }

  private open(column: number): void {
    if (column > this.collection) this.columns.push(column)
  }

  private skip(count: number): true {
    this.at += count
    return true
  }

  private run(goesOn: () => boolean): void {
    while (this.at < this.text.length && goesOn()) this.at++
  }

  private toLineEnd(): true {
    this.run(() => !isBreak(this.sign))
    return true
  }

  private stopAt(message: string, position = this.at): false {
    this.tab = { message, position }
    return false
  }

  private newLine(): true {
    this.breakLine()
    this.mayBegin = true
    this.key = undefined
    return true
  }

  private breakLine(): void {
    this.at += this.sign === '\r' && this.text[this.at + 1] === '\n' ? 2 : 1
    this.line = this.at
  }

  private isDocumentMark(): boolean {
    const mark = this.text.slice(this.at, this.at + 3)
    return (mark === '---' || mark === '...') && isSpace(this.text[this.at + 3])
  }

  private documentMark(): boolean {
    if (this.hasContent || this.sign === '.') return false
    this.hasContent = true
    this.mayBegin = false
    return this.skip(3)
  }

  /** A line that begins inside brackets or quotes. */
  private innerLine(): void {
    this.breakLine()
    if (this.isDocumentMark()) return
    let spaces = 0
    while (this.text[this.at + spaces] === ' ') spaces++
    const by = this.collection + 1 - spaces
    const first = this.text[this.at + spaces]
    if (by > 0 && first !== undefined && !isBreak(first)) this.outdented.push({ at: this.at, by })
  }

  private quoted(quote: string): void {
    this.at++
    for (; this.at < this.text.length; this.at++) {
      const { sign } = this
      if (sign === '\\' && quote === '"' && !isBreak(this.text[this.at + 1])) this.at++
      else if (sign === quote) {
        if (quote === "'" && this.text[this.at + 1] === quote) this.at++
        else break
      } else if (isBreak(sign)) {
        this.innerLine()
        this.at--
      }
    }
    this.at++
  }

  private flow(): void {
    for (let levels = 0; this.at < this.text.length; ) {
      const sign = this.sign as string
      if (isBreak(sign)) this.innerLine()
      else if (sign === '#') this.toLineEnd()
      else if (sign === '"' || sign === "'") this.quoted(sign)
      else if (FLOW.has(sign) || isBlank(sign) || sign === ':' || sign === '?') {
        this.at++
        if (sign === '[' || sign === '{') levels++
        else if ((sign === ']' || sign === '}') && --levels === 0) return
      } else this.flowScalar()
    }
  }

  private flowScalar(): void {
    this.run(() => {
      const sign = this.sign as string
      const next = this.text[this.at + 1]
      if (isBreak(sign) || FLOW.has(sign) || (isBlank(sign) && next === '#')) return false
      return sign !== ':' || !(isSpace(next) || FLOW.has(next as string))
    })
  }

  /** Goes on over lines that stand further right than the collection that it is in. */
  private plain(): void {
    for (;;) {
      this.run(() => {
        const next = this.text[this.at + 1]
        if (isBreak(this.sign) || (isBlank(this.sign) && next === '#')) return false
        return this.sign !== ':' || !isSpace(next)
      })
      if (!isBreak(this.sign) || !this.plainGoesOn()) return
    }
  }

  private plainGoesOn(): boolean {
    const [end, line] = [this.at, this.line]
    while (isSpace(this.sign) && this.at < this.text.length) {
      if (isBreak(this.sign)) this.breakLine()
      else if (this.sign === '\t' && this.column <= this.collection) return this.stopAt(IN_PLAIN)
      else this.at++
    }
    const belongs = this.sign !== undefined && this.sign !== '#' && this.column > this.collection && !this.endsDocument()
    if (!belongs) [this.at, this.line] = [end, line]
    return belongs
  }

  private endsDocument(): boolean {
    return this.column === 0 && this.isDocumentMark()
  }

  /** `|2-` and its lines. */
  private blockScalar(): void {
    const begin = this.at
    this.toLineEnd()
    const stated = /^[|>][+-]?([1-9])/.exec(this.text.slice(begin, begin + 3))?.[1]
    const least = this.collection + 1
    let indent = stated === undefined ? 0 : Math.max(this.collection, 0) + Number(stated)
    while (isBreak(this.sign)) {
      const [end, line] = [this.at, this.line]
      this.breakLine()
      while (this.sign === ' ' && (indent === 0 || this.column < indent)) this.at++
      if (this.sign === '\t' && (indent === 0 || this.column < indent)) {
        this.stopAt(IN_BLOCK)
        return
      }
      if (isBreak(this.sign)) continue
      if (indent === 0) indent = Math.max(this.column, least, 1)
      if (this.sign === undefined || this.column < indent || this.endsDocument()) {
        ;[this.at, this.line] = [end, line]
        return
      }
      this.toLineEnd()
    }
  }
}
