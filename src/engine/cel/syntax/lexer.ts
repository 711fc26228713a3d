import { entryOf } from '../../core/object'
import { usedAsFormat } from '../../schema/go-text'
import type { Issue, Source } from './source'

/** cel-go's token numbers, whose order messages follow. */
export const TOKEN_ORDER = [
  '<EOF>', '==', '!=', 'in', '<', '<=', '>=', '>', '&&', '||', '[', ']', '{', '}', '(', ')', '.', ',', '-', '!', '?', ':', '+', '*',
  '/', '%', 'true', 'false', 'null', 'NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER',
  'ESC_IDENTIFIER',
] as const // biome-ignore format: one table

export type TokenKind = (typeof TOKEN_ORDER)[number]

export interface Token {
  kind: TokenKind
  text: string
  /** In code points. */
  start: number
  end: number
}

const WORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null'])
const PAIRS: ReadonlySet<string> = new Set(['==', '!=', '<=', '>=', '&&', '||'])
const SINGLES: ReadonlySet<string> = new Set('<>[]{}().,-!?:+*/%')

const isDigit = (character: string | undefined) =>
  character !== undefined && character >= '0' && character <= '9'
const isHex = (character: string | undefined) =>
  character !== undefined && /^[0-9a-fA-F]$/.test(character)
const isLetter = (character: string | undefined) =>
  character !== undefined && /^[A-Za-z_]$/.test(character)

/**
 * Reports and skips text that is not a token, up to the character that fits none.
 * @returns `<EOF>` last
 */
export function tokensOf(source: Source, quotedNames: boolean): Lexed {
  return new Lexer(source.characters, quotedNames).run()
}

export interface Lexed {
  tokens: Token[]
  issues: Issue[]
  /** Empty for text outside any token. */
  characters: readonly string[]
}

/** The end of a token, or where it is invalid. */
type Scan = { kind: TokenKind; end: number } | { failed: number }

class Lexer {
  private readonly tokens: Token[] = []
  private readonly issues: Issue[] = []

  constructor(
    private readonly characters: readonly string[],
    private readonly quotedNames: boolean,
  ) {}

  run(): Lexed {
    let known: string[] | undefined
    let at = 0
    while (at < this.characters.length) {
      const skipped = this.skip(at)
      if (skipped > at) {
        at = skipped
        continue
      }
      const scan = this.scan(at)
      if ('failed' in scan) {
        const end = Math.min(scan.failed + 1, this.characters.length)
        const message = `Syntax error: token recognition error at: '${this.text(at, end)}'`
        this.issues.push({ position: at, message: usedAsFormat(message), syntax: true })
        known ??= [...this.characters]
        known.fill('', at, end)
        at = end
      } else {
        this.tokens.push({
          kind: scan.kind,
          text: this.text(at, scan.end),
          start: at,
          end: scan.end,
        })
        at = scan.end
      }
    }
    this.tokens.push({ kind: '<EOF>', text: '<EOF>', start: at, end: at })
    return { tokens: this.tokens, issues: this.issues, characters: known ?? this.characters }
  }

  private text(from: number, to: number): string {
    return this.characters.slice(from, to).join('')
  }

  private skip(from: number): number {
    const { characters } = this
    let at = from
    while (at < characters.length && '\t \r\n\u000c'.includes(characters[at] as string)) at++
    if (characters[at] === '/' && characters[at + 1] === '/')
      while (at < characters.length && characters[at] !== '\n') at++
    return at
  }

  private scan(at: number): Scan {
    const character = this.characters[at] as string
    const pair = character + (this.characters[at + 1] ?? '')
    const quoted = this.prefixOfQuotes(at)
    if (quoted !== undefined) return this.quoted(at, quoted)
    if (isLetter(character)) return this.word(at)
    if (character === '`' && this.quotedNames) return this.quotedName(at)
    if (isDigit(character) || (character === '.' && isDigit(this.characters[at + 1])))
      return this.number(at)
    if (PAIRS.has(pair)) return { kind: pair as TokenKind, end: at + 2 }
    if (SINGLES.has(character)) return { kind: character as TokenKind, end: at + 1 }
    return { failed: character === '=' || character === '&' || character === '|' ? at + 1 : at }
  }

  private word(from: number): Scan {
    let end = from
    while (isLetter(this.characters[end]) || isDigit(this.characters[end])) end++
    const text = this.text(from, end)
    return { kind: WORDS.has(text) ? (text as TokenKind) : 'IDENTIFIER', end }
  }

  private quotedName(from: number): Scan {
    let end = from + 1
    while (/^[A-Za-z0-9_.\-/ ]$/.test(this.characters[end] ?? '')) end++
    return this.characters[end] === '`' && end > from + 1
      ? { kind: 'ESC_IDENTIFIER', end: end + 1 }
      : { failed: end }
  }

  private digits(from: number): number {
    let at = from
    while (isDigit(this.characters[at])) at++
    return at
  }

  private number(from: number): Scan {
    const { characters } = this
    if (characters[from] === '0' && characters[from + 1] === 'x' && isHex(characters[from + 2])) {
      let end = from + 2
      while (isHex(characters[end])) end++
      return this.unsignedOr('NUM_INT', end)
    }
    let end = this.digits(from)
    let kind: TokenKind = 'NUM_INT'
    if (characters[end] === '.' && isDigit(characters[end + 1])) {
      kind = 'NUM_FLOAT'
      end = this.digits(end + 1)
    }
    const exponent = this.exponent(end)
    if (exponent > end) return { kind: 'NUM_FLOAT', end: exponent }
    return kind === 'NUM_INT' ? this.unsignedOr(kind, end) : { kind, end }
  }

  private unsignedOr(kind: TokenKind, end: number): Scan {
    const next = this.characters[end]
    return next === 'u' || next === 'U' ? { kind: 'NUM_UINT', end: end + 1 } : { kind, end }
  }

  private exponent(from: number): number {
    const { characters } = this
    if (characters[from] !== 'e' && characters[from] !== 'E') return from
    const signed =
      characters[from + 1] === '+' || characters[from + 1] === '-' ? from + 2 : from + 1
    return isDigit(characters[signed]) ? this.digits(signed) : from
  }

  /** `r` raw, `b` bytes. */
  private prefixOfQuotes(at: number): { raw: boolean; bytes: boolean; quotes: number } | undefined {
    let raw = false
    let bytes = false
    let quotes = at
    for (let letters = 0; letters < 2; letters++) {
      const letter = this.characters[quotes]?.toLowerCase()
      if (letter === 'b' && !bytes && !raw) bytes = true
      else if (letter === 'r' && !raw) raw = true
      else break
      quotes++
    }
    const quote = this.characters[quotes]
    return quote === "'" || quote === '"' ? { raw, bytes, quotes } : undefined
  }

  private quoted(
    from: number,
    { raw, bytes, quotes }: { raw: boolean; bytes: boolean; quotes: number },
  ): Scan {
    const { characters } = this
    const kind = bytes ? 'BYTES' : 'STRING'
    const quote = characters[quotes]
    const triple = characters[quotes + 1] === quote && characters[quotes + 2] === quote
    const end = triple
      ? this.endOfTriple(quotes + 3, quote, raw)
      : this.endOfSingle(quotes + 1, quote, raw)
    if (!('failed' in end)) return { kind, end: end.end }
    // Two quotes are an empty string unless a third follows. A prefix may start a name.
    if (triple) return { kind, end: quotes + 2 }
    return quotes > from ? this.word(from) : end
  }

  private endOfSingle(
    from: number,
    quote: string | undefined,
    raw: boolean,
  ): { end: number } | { failed: number } {
    const { characters } = this
    for (let at = from; at < characters.length; at++) {
      const character = characters[at]
      if (character === quote) return { end: at + 1 }
      if (character === '\n' || character === '\r') return { failed: at }
      if (character === '\\' && !raw) {
        const end = this.escape(at)
        if ('failed' in end) return end
        at = end.end - 1
      }
    }
    return { failed: characters.length }
  }

  private endOfTriple(
    from: number,
    quote: string | undefined,
    raw: boolean,
  ): { end: number } | { failed: number } {
    const { characters } = this
    for (let at = from; at < characters.length; at++) {
      if (characters[at] === quote && characters[at + 1] === quote && characters[at + 2] === quote)
        return { end: at + 3 }
      if (characters[at] === '\\' && !raw) {
        const end = this.escape(at)
        if ('failed' in end) return end
        at = end.end - 1
      }
    }
    return { failed: characters.length }
  }

  private escape(at: number): { end: number } | { failed: number } {
    const letter = this.characters[at + 1]
    if (letter === undefined) return { failed: at + 1 }
    if ('abfnrtv"\'\\?`'.includes(letter)) return { end: at + 2 }
    const digits = entryOf(ESCAPE_DIGITS, letter)
    if (digits !== undefined) return this.escapeDigits(at + 2, digits, isHex)
    if (letter >= '0' && letter <= '3')
      return this.escapeDigits(
        at + 2,
        2,
        (digit) => digit !== undefined && digit >= '0' && digit <= '7',
      )
    return { failed: at + 1 }
  }

  private escapeDigits(
    from: number,
    count: number,
    isOne: (character: string | undefined) => boolean,
  ): { end: number } | { failed: number } {
    for (let at = from; at < from + count; at++)
      if (!isOne(this.characters[at])) return { failed: at }
    return { end: from + count }
  }
}

const ESCAPE_DIGITS: Record<string, number> = { x: 2, X: 2, u: 4, U: 8 }

export function shown(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}
