/**
 * Recovers from errors like cel-go's parser (ANTLR): drops a token, assumes a missing one, or skips
 * to where an enclosing rule continues. Further messages follow from this (policy-compile).
 */
import { usedAsFormat } from '../../schema/go-text'
import { shown, TOKEN_ORDER, type Token, type TokenKind } from './lexer'
import type { Issue } from './source'

export type TokenSet = ReadonlySet<TokenKind>

export const setOf = (...kinds: TokenKind[]): TokenSet => new Set(kinds)

const LITERAL_NAMES: ReadonlySet<TokenKind> = new Set([
  '<EOF>',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
])

const VALUE_WORDS: TokenSet = setOf('true', 'false', 'null')

const MAX_RECOVERIES = 30

/** The same token in another rule is another error. */
type Place = string

/** Ends the current rule. */
class Mismatch {
  constructor(
    readonly message: string,
    readonly place: Place,
  ) {}
}

/** Ends parsing: too many errors, or too deep. */
export class Abandoned {
  constructor(
    readonly issue: Issue,
    readonly at: number,
  ) {}
}

export class TokenReader {
  private at = 0
  /** Suppresses errors until a token matches. */
  private recovering = false
  private recoveries = 0
  private lastErrorAt = -1
  private readonly errorPlaces = new Set<Place>()
  private readonly follows: TokenSet[] = []

  constructor(
    private readonly tokens: readonly Token[],
    private readonly issues: Issue[],
    private readonly characters: readonly string[],
  ) {}

  get taken(): number {
    return this.tokens[this.at - 1]?.end ?? 0
  }

  get current(): Token {
    return this.tokens[this.at] as Token
  }

  peek(ahead = 1): Token {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)] as Token
  }

  is(kind: TokenKind): boolean {
    return this.current.kind === kind
  }

  take(): Token {
    const token = this.current
    if (this.recovering) this.fits()
    if (token.kind !== '<EOF>') this.at++
    return token
  }

  private fits(): void {
    this.recovering = false
    this.errorPlaces.clear()
  }

  takeIf(kind: TokenKind): Token | undefined {
    return this.is(kind) ? this.take() : undefined
  }

  /** @param after distinguishes a missing token from a wrong one */
  expect(kind: TokenKind, after: TokenSet): Token {
    if (this.is(kind)) return this.take()
    if (this.peek().kind === kind && !this.is('<EOF>')) {
      this.report(`extraneous input ${this.quoted()} expecting ${nameOf(kind)}`)
      this.at++
      return this.take()
    }
    if (after.has(this.current.kind)) {
      this.report(`missing ${nameOf(kind)} at ${this.quoted()}`)
      return {
        kind,
        text: `<missing ${nameOf(kind)}>`,
        start: this.current.start,
        end: this.current.start,
      }
    }
    throw this.mismatch(new Set([kind]), kind)
  }

  sync(expected: TokenSet): void {
    if (expected.has(this.current.kind)) return
    if (expected.has(this.peek().kind) && !this.is('<EOF>')) {
      this.report(`extraneous input ${this.quoted()} expecting ${describe(expected)}`)
      this.at++
      this.fits()
      return
    }
    throw this.mismatch(expected, 'beginning')
  }

  /** Expects nothing right after an error. */
  syncUnlessRecovering(expected: TokenSet): void {
    if (!this.recovering) this.sync(expected)
  }

  /** Does not consume the token. */
  unwanted(expected: TokenSet): void {
    if (!expected.has(this.current.kind))
      this.report(`extraneous input ${this.quoted()} expecting ${describe(expected)}`)
  }

  private mismatch(expected: TokenSet, place: Place): Mismatch {
    return new Mismatch(`mismatched input ${this.quoted()} expecting ${describe(expected)}`, place)
  }

  noAlternative(first: Token, offending: Token, place: Place): never {
    const text = this.characters.slice(first.start, offending.end).join('')
    // cel-go: a keyword after a dot is a missing name.
    const why =
      VALUE_WORDS.has(offending.kind) && text === `.${offending.text}`
        ? `mismatched input '${offending.text}' expecting IDENTIFIER`
        : `no viable alternative at input '${shown(text)}'`
    this.report(why, offending.start)
    throw new Mismatch('', place)
  }

  /** @param broken the result if the rule fails */
  rule<Result>(follow: TokenSet, read: () => Result, broken: () => Result): Result {
    this.begin(follow)
    try {
      return read()
    } catch (error) {
      this.repair(error)
      return broken()
    } finally {
      this.end()
    }
  }

  /**
   * `begin`, `repair` and `end` need fewer stack frames in recursive rules than `rule`: a browser's
   * worker has half as many.
   */
  begin(follow: TokenSet): void {
    this.follows.push(follow)
  }

  /** Skips to where parsing continues. @throws errors that are not about tokens */
  repair(error: unknown): void {
    if (!(error instanceof Mismatch)) throw error
    if (error.message !== '') this.report(error.message)
    this.recover(error.place)
  }

  end(): void {
    this.follows.pop()
  }

  private recover(place: Place): void {
    if (++this.recoveries > MAX_RECOVERIES) {
      const { start: position } = this.current
      throw new Abandoned(
        { position, message: `error recovery attempt limit exceeded: ${MAX_RECOVERIES}` },
        position,
      )
    }
    if (this.lastErrorAt === this.at && this.errorPlaces.has(place) && !this.is('<EOF>')) this.at++
    this.lastErrorAt = this.at
    this.errorPlaces.add(place)
    while (!this.is('<EOF>') && !this.follows.some((follow) => follow.has(this.current.kind)))
      this.at++
  }

  report(message: string, position = this.current.start): void {
    if (this.recovering) return
    this.recovering = true
    this.issues.push({ position, message: usedAsFormat(`Syntax error: ${message}`), syntax: true })
  }

  private quoted(): string {
    return `'${shown(this.current.text)}'`
  }
}

const nameOf = (kind: TokenKind): string => (LITERAL_NAMES.has(kind) ? kind : `'${kind}'`)

function describe(kinds: TokenSet): string {
  const names = TOKEN_ORDER.filter((kind) => kinds.has(kind)).map(nameOf)
  return names.length === 1 ? (names[0] as string) : `{${names.join(', ')}}`
}
