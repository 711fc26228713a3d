import type { Expression, FieldEntry, MapEntry } from './ast'
import { AFTER, BEGINS, LITERAL_WORDS } from './grammar'
import type { Token, TokenKind } from './lexer'
import { hasInvalidCharacter, literalValue } from './literals'
import type { MacroOptions } from './macros'
import type { Issue } from './source'
import type { Spans } from './spans'
import { Abandoned, setOf, type TokenReader, type TokenSet } from './token-reader'

export type QuotedNames = 'unknown' | 'unsupported' | 'supported'

export interface ParserOptions extends MacroOptions {
  optionalSyntax: boolean
  /** Backquoted names: not tokens, errors, or names of fields. */
  quotedNames: QuotedNames
  rejectsSurrogates?: boolean
  spans?: Spans | undefined
}

const NAME = setOf('IDENTIFIER')
const NAMES = setOf('IDENTIFIER', 'ESC_IDENTIFIER')

/** cel-go's limit; chains such as `1 + 1 + 1` or `a.b.c` do not count. */
const MAX_DEPTH = 250

type RecursiveRule = 'expression' | 'relation' | 'calculation'

export const broken = (position: number): Expression => ({
  kind: 'constant',
  value: null,
  position,
})

export abstract class LiteralParser {
  private readonly depth: Record<RecursiveRule, number> = {
    expression: 0,
    relation: 0,
    calculation: 0,
  }

  /** Nested operators, fields, indices and member calls in the last part. */
  height = 0

  /** Distinguishes a missing token from a wrong one. */
  protected after: TokenSet = AFTER.whole

  constructor(
    protected readonly tokens: TokenReader,
    protected readonly issues: Issue[],
    protected readonly options: ParserOptions,
  ) {}

  /**
   * @param follow where to continue after an error
   * @param after what may follow each operand
   */
  protected abstract expression(follow: TokenSet, after: TokenSet): Expression

  /** The start of a failed part, if it has its own place. */
  protected begunAt: number | undefined

  /** From `start` to the last token. */
  protected spanned<Part extends Expression>(part: Part, start: number): Part {
    this.options.spans?.note(part, start, this.tokens.taken)
    return part
  }

  protected broken(): Expression {
    return broken(this.tokens.current.start)
  }

  protected repaired(error: unknown): Expression {
    const { begunAt } = this
    this.begunAt = undefined
    this.tokens.repair(error)
    return begunAt === undefined ? this.broken() : broken(begunAt)
  }

  protected issue(position: number, message: string): void {
    this.issues.push({ position, message })
  }

  protected deeper(rule: RecursiveRule): void {
    if (++this.depth[rule] <= MAX_DEPTH) return
    throw new Abandoned(
      { position: -1, message: `expression recursion limit exceeded: ${MAX_DEPTH}` },
      this.tokens.current.start,
    )
  }

  protected shallower(rule: RecursiveRule): void {
    this.depth[rule]--
  }

  protected get names(): TokenSet {
    return this.options.quotedNames === 'unknown' ? NAME : NAMES
  }

  protected fieldName(after: TokenSet): Token {
    const { tokens } = this
    const { quotedNames } = this.options
    if (quotedNames === 'unknown') return tokens.expect('IDENTIFIER', after)
    tokens.sync(NAMES)
    const name = tokens.take()
    if (name.kind !== 'ESC_IDENTIFIER') return name
    if (quotedNames === 'supported') return { ...name, text: name.text.slice(1, -1) }
    this.issue(name.start, "unsupported syntax: '`'")
    return name
  }

  /** The depth is that of the deepest of several expressions. */
  protected inside(follow: TokenSet, after: TokenSet): Expression {
    const { height } = this
    const expression = this.expression(follow, after)
    this.height = Math.max(height, this.height)
    return expression
  }

  protected expectEnd(kind: ']' | '}', open: Token): void {
    this.begunAt = open.start
    this.tokens.expect(kind, this.after)
    this.begunAt = undefined
  }

  /** Tokens of a dotted name before a brace; undefined without a brace. */
  protected messageName(): number | undefined {
    const { tokens } = this
    let ahead = tokens.is('.') ? 1 : 0
    while (tokens.peek(ahead).kind === 'IDENTIFIER' && tokens.peek(ahead + 1).kind === '.')
      ahead += 2
    return tokens.peek(ahead).kind === 'IDENTIFIER' && tokens.peek(ahead + 1).kind === '{'
      ? ahead + 1
      : undefined
  }

  protected message(length: number): Expression {
    const { tokens } = this
    const name = Array.from({ length }, () => tokens.take().text).join('')
    const open = tokens.take()
    const begins = new Set<TokenKind>([...BEGINS.field, ...this.names])
    tokens.sync(new Set([...BEGINS.fieldsOrEnd, ...begins]))
    const fields: FieldEntry[] = []
    if (begins.has(tokens.current.kind)) {
      tokens.rule(
        setOf(',', '}'),
        () => {
          do fields.push(this.field())
          while (tokens.is(',') && begins.has(tokens.peek().kind) && tokens.take())
        },
        () => {},
      )
    }
    this.close('}', open)
    return { kind: 'struct', name, fields, position: open.start }
  }

  private field(): FieldEntry {
    const { tokens } = this
    const optional = this.optionalMark()
    const name = this.fieldName(setOf(':'))
    const colon = tokens.expect(':', BEGINS.expression)
    return {
      field: name.text,
      value: this.inside(setOf(','), AFTER.value),
      optional,
      position: colon.start,
    }
  }

  protected list(): Expression {
    const { tokens } = this
    const open = tokens.take()
    tokens.sync(BEGINS.listOrEnd)
    const elements: Expression[] = []
    const optional = new Set<number>()
    if (BEGINS.element.has(tokens.current.kind)) {
      tokens.rule(
        setOf(',', ']'),
        () => {
          do {
            if (this.optionalMark()) optional.add(elements.length)
            elements.push(this.inside(setOf(','), AFTER.item))
          } while (tokens.is(',') && BEGINS.element.has(tokens.peek().kind) && tokens.take())
        },
        () => {},
      )
    }
    this.close(']', open)
    return { kind: 'list', elements, optional, position: open.start }
  }

  protected map(): Expression {
    const { tokens } = this
    const open = tokens.take()
    tokens.sync(BEGINS.mapOrEnd)
    const entries: MapEntry[] = []
    if (BEGINS.element.has(tokens.current.kind)) {
      tokens.rule(
        setOf(',', '}'),
        () => {
          do {
            const optional = this.optionalMark()
            const { key, colon } = this.key()
            entries.push({
              key,
              value: this.inside(setOf(','), AFTER.value),
              optional,
              position: colon.start,
            })
          } while (tokens.is(',') && BEGINS.element.has(tokens.peek().kind) && tokens.take())
        },
        () => {},
      )
    }
    this.close('}', open)
    return { kind: 'map', entries, position: open.start }
  }

  private key(): { key: Expression; colon: Token } {
    const { tokens, issues } = this
    const found = issues.length
    const key = this.inside(setOf(':'), AFTER.key)
    try {
      return { key, colon: tokens.expect(':', BEGINS.expression) }
    } catch (error) {
      issues.length = found
      throw error
    }
  }

  private close(kind: ']' | '}', open: Token): void {
    const { tokens } = this
    this.begunAt = open.start
    tokens.syncUnlessRecovering(setOf(kind, ','))
    tokens.takeIf(',')
    this.expectEnd(kind, open)
  }

  private optionalMark(): boolean {
    const mark = this.tokens.takeIf('?')
    if (mark !== undefined && !this.options.optionalSyntax)
      this.issue(mark.start, "unsupported syntax '?'")
    return mark !== undefined
  }

  protected literal(): Expression {
    const { tokens } = this
    const first = tokens.current
    const negative = tokens.takeIf('-') !== undefined
    const token = tokens.take()
    if (
      this.options.rejectsSurrogates &&
      token.kind === 'STRING' &&
      hasInvalidCharacter(token.text)
    ) {
      this.issue(first.start, 'invalid unicode code point')
      return broken(first.start)
    }
    const value = literalValue(token, negative)
    if (value !== undefined) return { kind: 'constant', value, position: first.start }
    const name = LITERAL_WORDS[token.kind]
    this.issue(
      first.start,
      name === undefined ? 'unable to unescape string' : `invalid ${name} literal`,
    )
    return broken(first.start)
  }
}
