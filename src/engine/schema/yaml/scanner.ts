/**
 * Splits YAML into tokens with the lookahead, and so the errors, of sigs.k8s.io/yaml. Recorded, and
 * compared on random texts.
 *
 * Only the `:` after a key identifies it. The scanner records where a key may start, and inserts a
 * `key` token there. `a: b` gives `block map`, `key`, `a`, `value`, `b`, `block end`.
 */
import { MOST_READ } from '../nesting'
import { blockScalar } from './block-scalar'
import {
  AMPERSAND,
  APOSTROPHE,
  ASTERISK,
  BAR,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  EXCLAMATION_MARK,
  GREATER,
  HASH,
  isBreak,
  isIndicator,
  isSpace,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PERCENT,
  QUESTION_MARK,
  QUOTE,
  SPACE,
  TAB,
} from './chars'
import { Cursor, type Mark } from './cursor'
import { scannerProblem, tooDeep } from './errors'
import { plainScalar, quotedScalar } from './flow-scalars'
import { directive, name, tag } from './properties'
import type { Mute, Token } from './tokens'

interface KeyPlace {
  token: number
  mark: Mark
  /** At the column of a map, where only a key may start. */
  required: boolean
  level: Level
}

/** The document or a flow collection. */
interface Level {
  place: KeyPlace | undefined
  /** The token of the last possible key, or the collection's own. */
  begun: number
}

/** A key must also end on its line. */
const LONGEST_KEY = 1024
const NO_TOKEN = 'found character that cannot start any token'
const NO_COLON = "could not find expected ':'"

export class Scanner {
  private readonly cursor: Cursor
  private queue: Token[] = []
  private head = 0
  private taken = 0
  private isPeeked = false
  private ended = false
  /** The column of the innermost block collection; -1 outside any. */
  private indent = -1
  private readonly indents: number[] = []
  private readonly levels: Level[] = [{ place: undefined, begun: 0 }]
  private readonly keysByToken = new Map<number, KeyPlace>()
  private mayBeKey = true

  constructor(text: string) {
    this.cursor = new Cursor(text)
  }

  /** @throws YamlSyntaxError */
  peek(): Token {
    if (!this.isPeeked) {
      while (this.head === this.queue.length || this.mayTurnOutAsKey()) this.fetch()
      this.isPeeked = true
    }
    return this.queue[this.head] as Token
  }

  skip(): void {
    this.isPeeked = false
    this.taken++
    if (++this.head === this.queue.length) {
      this.queue = []
      this.head = 0
    }
  }

  private get inFlow(): boolean {
    return this.levels.length > 1
  }

  private get level(): Level {
    return this.levels.at(-1) as Level
  }

  private get nextNumber(): number {
    return this.taken + this.queue.length - this.head
  }

  private mayTurnOutAsKey(): boolean {
    const place = this.keysByToken.get(this.taken)
    return place !== undefined && this.isStillPossible(place)
  }

  private isStillPossible(place: KeyPlace): boolean {
    const { mark, required } = place
    if (mark.line === this.cursor.line && mark.at + LONGEST_KEY >= this.cursor.at) return true
    if (required) throw scannerProblem(NO_COLON, this.cursor.line)
    this.discard(place)
    return false
  }

  private discard(place: KeyPlace): void {
    place.level.place = undefined
    this.keysByToken.delete(place.token)
  }

  private add(type: Mute, line = this.cursor.line): void {
    this.queue.push({ type, line })
  }

  /** Inserts at the end if the token there was consumed. */
  private insert(type: Mute, { token, mark: { line } }: KeyPlace): void {
    const index = token < this.taken ? this.queue.length : this.head + token - this.taken
    this.queue.splice(index, 0, { type, line })
  }

  private addToken(type: Mute, length = 1): void {
    this.add(type)
    for (let sign = 0; sign < length; sign++) this.cursor.skip()
  }

  private fetch(): void {
    const { cursor } = this
    if (this.ended) {
      this.add('end of text')
      return
    }
    this.toNextToken()
    this.closeBlocks(cursor.column)
    if (cursor.atEnd) this.endText()
    else if (cursor.column === 0 && cursor.char === PERCENT) this.directive()
    else if (cursor.isDocumentMark) this.documentMark()
    else this.fetchAt(cursor.char, cursor.ahead(1))
  }

  private fetchAt(sign: number, next: number): void {
    if (sign === OPEN_BRACKET) this.openFlow('[')
    else if (sign === OPEN_BRACE) this.openFlow('{')
    else if (sign === CLOSE_BRACKET) this.closeFlow(']')
    else if (sign === CLOSE_BRACE) this.closeFlow('}')
    else if (sign === COMMA) this.flowEntry()
    else if (sign === MINUS && isSpace(next)) this.blockEntry()
    else if (sign === QUESTION_MARK && (this.inFlow || isSpace(next))) this.key()
    else if (sign === COLON && (this.inFlow || isSpace(next))) this.value()
    else if (sign === ASTERISK) this.name('alias')
    else if (sign === AMPERSAND) this.name('anchor')
    else if (sign === EXCLAMATION_MARK) this.tag()
    else if ((sign === BAR || sign === GREATER) && !this.inFlow) this.block()
    else if (sign === QUOTE || sign === APOSTROPHE) this.quoted()
    else if (this.startsPlain(sign, next)) this.plain()
    else throw scannerProblem(NO_TOKEN, this.cursor.line)
  }

  /** `- ` and `? ` are indicators. */
  private startsPlain(sign: number, next: number): boolean {
    if (sign === TAB) return false
    if (!isIndicator(sign)) return true
    return sign === MINUS
      ? !isSpace(next)
      : !this.inFlow && (sign === QUESTION_MARK || sign === COLON) && !isSpace(next)
  }

  private toNextToken(): void {
    const { cursor } = this
    for (;;) {
      while (cursor.char === SPACE || (cursor.char === TAB && (this.inFlow || !this.mayBeKey)))
        cursor.skip()
      if (cursor.char === HASH) cursor.skipComment()
      if (!isBreak(cursor.char)) return
      cursor.skipBreak()
      if (!this.inFlow) this.mayBeKey = true
    }
  }

  private endText(): void {
    this.ended = true
    // The end counts as a line.
    if (this.cursor.column !== 0) {
      this.cursor.column = 0
      this.cursor.line++
    }
    this.closeBlocks(-1)
    this.noKey()
    this.mayBeKey = false
    this.add('end of text')
  }

  private directive(): void {
    this.closeBlocks(-1)
    this.noKey()
    this.mayBeKey = false
    this.queue.push(directive(this.cursor))
  }

  private documentMark(): void {
    this.closeBlocks(-1)
    this.noKey()
    this.mayBeKey = false
    this.addToken(this.cursor.char === MINUS ? 'document start' : 'document end', 3)
  }

  private openFlow(type: '[' | '{'): void {
    this.placeKey()
    this.levels.push({ place: undefined, begun: this.nextNumber })
    if (this.levels.length - 1 > MOST_READ) throw tooDeep(MOST_READ, this.cursor.line)
    this.mayBeKey = true
    this.addToken(type)
  }

  private closeFlow(type: ']' | '}'): void {
    this.noKey()
    // After `[]` and `{}` sigs.k8s.io/yaml expects no `:`, since their own token is the last one.
    if (this.inFlow) this.keysByToken.delete((this.levels.pop() as Level).begun)
    this.mayBeKey = false
    this.addToken(type)
  }

  private flowEntry(): void {
    this.noKey()
    this.mayBeKey = true
    this.addToken(',')
  }

  private blockEntry(): void {
    if (!this.inFlow) {
      if (!this.mayBeKey)
        throw scannerProblem(
          'block sequence entries are not allowed in this context',
          this.cursor.line,
        )
      this.openBlock('block list', this.cursor.column)
    }
    this.noKey()
    this.mayBeKey = true
    this.addToken('entry')
  }

  private key(): void {
    if (!this.inFlow) {
      if (!this.mayBeKey)
        throw scannerProblem('mapping keys are not allowed in this context', this.cursor.line)
      this.openBlock('block map', this.cursor.column)
    }
    this.noKey()
    this.mayBeKey = !this.inFlow
    this.addToken('key')
  }

  private value(): void {
    const { place } = this.level
    if (place !== undefined && this.isStillPossible(place)) {
      this.insert('key', place)
      this.openBlock('block map', place.mark.column, place)
      this.discard(place)
      this.mayBeKey = false
    } else {
      if (!this.inFlow) {
        if (!this.mayBeKey)
          throw scannerProblem('mapping values are not allowed in this context', this.cursor.line)
        this.openBlock('block map', this.cursor.column)
      }
      this.mayBeKey = !this.inFlow
    }
    this.addToken('value')
  }

  private name(type: 'anchor' | 'alias'): void {
    this.placeKey()
    this.mayBeKey = false
    const { line } = this.cursor
    this.queue.push({ type, line, name: name(this.cursor) })
  }

  private tag(): void {
    this.placeKey()
    this.mayBeKey = false
    const { line } = this.cursor
    this.queue.push({ type: 'tag', line, ...tag(this.cursor) })
  }

  private block(): void {
    this.noKey()
    this.mayBeKey = true
    const { line } = this.cursor
    const value = blockScalar(this.cursor, this.indent)
    this.queue.push({ type: 'scalar', line, value, plain: false })
  }

  private quoted(): void {
    this.placeKey()
    this.mayBeKey = false
    const { line } = this.cursor
    const value = quotedScalar(this.cursor)
    this.queue.push({ type: 'scalar', line, value, plain: false })
  }

  private plain(): void {
    this.placeKey()
    const { line } = this.cursor
    const { value, endsLine } = plainScalar(this.cursor, this.indent + 1, this.inFlow)
    this.mayBeKey = endsLine
    this.queue.push({ type: 'scalar', line, value, plain: true })
  }

  private placeKey(): void {
    if (!this.mayBeKey) return
    this.noKey()
    const { level, nextNumber } = this
    const required = !this.inFlow && this.indent === this.cursor.column
    level.place = { token: nextNumber, mark: this.cursor.mark, required, level }
    level.begun = nextNumber
    this.keysByToken.set(nextNumber, level.place)
  }

  private noKey(): void {
    const { place } = this.level
    if (place === undefined) return
    if (place.required) throw scannerProblem(NO_COLON, this.cursor.line)
    this.discard(place)
  }

  private openBlock(type: 'block list' | 'block map', column: number, place?: KeyPlace): void {
    if (this.inFlow || this.indent >= column) return
    this.indents.push(this.indent)
    this.indent = column
    if (this.indents.length > MOST_READ) throw tooDeep(MOST_READ, this.cursor.line)
    if (place === undefined) this.add(type)
    else this.insert(type, place)
  }

  private closeBlocks(column: number): void {
    if (this.inFlow) return
    while (this.indent > column) {
      this.add('block end')
      this.indent = this.indents.pop() ?? -1
    }
  }
}
