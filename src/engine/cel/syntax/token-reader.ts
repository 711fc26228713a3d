/**
 * Reads tokens, and recovers from errors like the parser of cel-go (ANTLR): it drops a token,
 * assumes a missing one, or skips to where an enclosing rule continues. Messages, and errors after
 * the first, follow from this recovery (policy-compile).
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

/** The most recoveries before the parser stops. */
const MAX_RECOVERIES = 30

/** The place of a rule at an error. The same token at another place is another error. */
type Place = string

/** Thrown to end the current rule. */
class Mismatch {
  constructor(
    readonly message: string,
    readonly place: Place,
  ) {}
}

/** Thrown to end parsing: too many errors, or too deep. */
export class Abandoned {
  /** @param at the position where parsing ended */
  constructor(
    readonly issue: Issue,
    readonly at: number,
  ) {}
}

export class TokenReader {
  private at = 0
  /** Errors are suppressed until a token matches. */
  private recovering = false
  private recoveries = 0
  private lastErrorAt = -1
  /** The places of errors since the last match. */
  private readonly errorPlaces = new Set<Place>()
  /** The tokens that may follow each open rule. */
  private readonly follows: TokenSet[] = []

  constructor(
    private readonly tokens: readonly Token[],
    private readonly issues: Issue[],
    private readonly characters: readonly string[],
  ) {}

  /** The end of the last token. */
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

  /** Consumes the current token. */
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

  /** @param after the tokens that may follow; they distinguish a missing token from a wrong one */
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

  /** Expects one of the first tokens of a choice. */
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

  /** Expects an optional part. Right after an error, nothing is expected. */
  syncUnlessRecovering(expected: TokenSet): void {
    if (!this.recovering) this.sync(expected)
  }

  /** Reports a token that cannot follow a repetition, and keeps it. */
  unwanted(expected: TokenSet): void {
    if (!expected.has(this.current.kind))
      this.report(`extraneous input ${this.quoted()} expecting ${describe(expected)}`)
  }

  private mismatch(expected: TokenSet, place: Place): Mismatch {
    return new Mismatch(`mismatched input ${this.quoted()} expecting ${describe(expected)}`, place)
  }

  /** Reports that no alternative matches the tokens after the current one. */
  noAlternative(first: Token, offending: Token, place: Place): never {
    const text = this.characters.slice(first.start, offending.end).join('')
    // A literal keyword right after a dot is reported as a missing name.
    const why =
      VALUE_WORDS.has(offending.kind) && text === `.${offending.text}`
        ? `mismatched input '${offending.text}' expecting IDENTIFIER`
        : `no viable alternative at input '${shown(text)}'`
    this.report(why, offending.start)
    throw new Mismatch('', place)
  }

  /**
   * Parses a rule.
   * @param follow the tokens that may follow it
   * @param broken the result if the rule fails
   */
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
   * Parses a rule in three parts. Recursive rules then need fewer stack frames, of which a worker
   * of a browser has half as many.
   */
  begin(follow: TokenSet): void {
    this.follows.push(follow)
  }

  /**
   * Skips to where parsing continues after a failed rule. @throws any error that is not about
   * tokens
   */
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
