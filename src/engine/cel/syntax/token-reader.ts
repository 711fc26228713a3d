/**
 * Tokens one after the other, and what happens where they do not fit. The real server's parser repairs what it can so as to tell
 * of several errors at once: it drops a token, takes one for given, or skips to where an enclosing rule may go on. The words of
 * its messages, and which errors are told after the first, follow from these repairs (recorded: policy-compile).
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
])

const VALUE_WORDS: TokenSet = setOf('true', 'false', 'null')

/** How often the parser starts anew after an error before it gives up. */
const MAX_RECOVERIES = 30

/** Where a rule was when nothing fitted: an error at the same token counts as another one elsewhere. */
type Place = string

/** Ends the rule that is being read; made and understood in this file alone. */
class Mismatch {
  constructor(
    readonly message: string,
    readonly place: Place,
  ) {}
}

/** Ends all reading: too many errors, or too deep. */
export class Abandoned {
  /** @param at where reading ended: of what stands behind it nothing is known */
  constructor(
    readonly issue: Issue,
    readonly at: number,
  ) {}
}

export class TokenReader {
  private at = 0
  /** After an error nothing more is told until a token fits again. */
  private recovering = false
  private recoveries = 0
  private lastErrorAt = -1
  /** Where errors were since a token fitted last. */
  private readonly errorPlaces = new Set<Place>()
  /** Per rule that is being read: what may follow it in the rule that asked for it. */
  private readonly follows: TokenSet[] = []

  constructor(
    private readonly tokens: readonly Token[],
    private readonly issues: Issue[],
    private readonly characters: readonly string[],
  ) {}

  /** Where the token ends that was taken last. */
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

  /** Takes the current token, which fits. */
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

  /** @param after what may come after that token, by which a missing one is told from a wrong one */
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

  /** Where a choice begins: the current token is to be one of those with which it may. */
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

  /** The same where what is expected may be left out: right after an error nothing is looked for yet. */
  syncUnlessRecovering(expected: TokenSet): void {
    if (!this.recovering) this.sync(expected)
  }

  /** Tells of a token that cannot come behind what may be repeated, and leaves it. */
  unwanted(expected: TokenSet): void {
    if (!expected.has(this.current.kind))
      this.report(`extraneous input ${this.quoted()} expecting ${describe(expected)}`)
  }

  private mismatch(expected: TokenSet, place: Place): Mismatch {
    return new Mismatch(`mismatched input ${this.quoted()} expecting ${describe(expected)}`, place)
  }

  /** None of several ways to read on fits what comes after the current token. */
  noAlternative(first: Token, offending: Token, place: Place): never {
    const text = this.characters.slice(first.start, offending.end).join('')
    // A value's word right behind a dot is told of as a name that is none.
    const why =
      VALUE_WORDS.has(offending.kind) && text === `.${offending.text}`
        ? `mismatched input '${offending.text}' expecting IDENTIFIER`
        : `no viable alternative at input '${shown(text)}'`
    this.report(why, offending.start)
    throw new Mismatch('', place)
  }

  /**
   * Reads a rule.
   * @param follow what may come after it in the rule that asks for it
   * @param broken what the rule gives if it cannot be read
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
   * The same in three parts, for rules that may be inside themselves: two calls less for each level, of which the stack of a
   * browser's worker holds half as many as others.
   */
  begin(follow: TokenSet): void {
    this.follows.push(follow)
  }

  /** Skips to where the rule, which could not be read, may be gone on behind. @throws whatever is not about tokens */
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
