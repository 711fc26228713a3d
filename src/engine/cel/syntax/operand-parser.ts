/**
 * Parses operands: names, literals, lists, maps, messages, calls and member access. `parser.ts`
 * parses the operators between them.
 */
import { type Call, type Expression, type FieldEntry, type MapEntry, OPERATORS } from './ast'
import { AFTER, BEGINS, LITERAL_WORDS, NOTHING, NUMBERS, RESERVED } from './grammar'
import type { Token, TokenKind } from './lexer'
import { hasInvalidCharacter, literalValue } from './literals'
import { expandMacro, type MacroOptions } from './macros'
import { type Issue, NO_PLACE } from './source'
import type { Spans } from './spans'
import { Abandoned, setOf, type TokenReader, type TokenSet } from './token-reader'

export interface ParserOptions extends MacroOptions {
  optionalSyntax: boolean
  /** Backquoted names are tokens, which no expression of the API server may use. */
  quotedNames: boolean
  /** Escapes of surrogates in strings are errors. */
  rejectsSurrogates?: boolean
  /** Receives the place of each written part; parts of macros have no place. */
  spans?: Spans | undefined
}

const NAME = setOf('IDENTIFIER')
const NAMES = setOf('IDENTIFIER', 'ESC_IDENTIFIER')

/** The nesting limit of cel-go for rules that are not chains such as `1 + 1 + 1` or `a.b.c`. */
const MAX_DEPTH = 250

type RecursiveRule = 'expression' | 'relation' | 'calculation'

export const broken = (position: number): Expression => ({
  kind: 'constant',
  value: null,
  position,
})

export abstract class OperandParser {
  private readonly depth: Record<RecursiveRule, number> = {
    expression: 0,
    relation: 0,
    calculation: 0,
  }

  /** The depth of the last part: nested operators, fields, indices and member calls. */
  height = 0

  /**
   * The tokens that may follow an operand here. They distinguish a missing token from a wrong one.
   */
  protected after: TokenSet = AFTER.whole

  constructor(
    protected readonly tokens: TokenReader,
    private readonly issues: Issue[],
    protected readonly options: ParserOptions,
  ) {}

  /**
   * @param follow the tokens to continue at after an error
   * @param after the tokens that may follow each operand
   */
  protected abstract expression(follow: TokenSet, after: TokenSet): Expression

  /** Records the place of a part up to the last token. */
  protected spanned<Part extends Expression>(part: Part, start: number): Part {
    this.options.spans?.note(part, start, this.tokens.taken)
    return part
  }

  protected broken(): Expression {
    return broken(this.tokens.current.start)
  }

  /** The start of a part that failed to parse, if it has a place of its own. */
  protected begunAt: number | undefined

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

  /** The token after a minus decides between an operator and a number. */
  protected needsOperand(operands: TokenSet): void {
    const { tokens } = this
    const next = tokens.peek()
    if (!operands.has(next.kind)) tokens.noAlternative(tokens.current, next, 'operand')
  }

  /** Parses an operand with its member access: `a.b[0].c()`. */
  protected member(): Expression {
    const { tokens } = this
    /** The operand before a dot without a name remains. */
    let whole: Expression | undefined
    tokens.begin(NOTHING)
    try {
      const { start } = tokens.current
      let operand = this.spanned(this.primary(), start)
      while (tokens.is('.') || tokens.is('[')) {
        const { height } = this
        whole = operand
        if (tokens.is('.')) this.needsName()
        whole = undefined
        operand = this.spanned(tokens.is('.') ? this.select(operand) : this.index(operand), start)
        this.height = 1 + Math.max(height, this.height)
      }
      return operand
    } catch (error) {
      const broken = this.repaired(error)
      return whole ?? broken
    } finally {
      tokens.end()
    }
  }

  private needsName(): void {
    const { tokens } = this
    const next = tokens.peek()
    if (!this.names.has(next.kind) && next.kind !== '?')
      tokens.noAlternative(tokens.current, next, 'member')
  }

  private select(operand: Expression): Expression {
    const { tokens } = this
    const dot = tokens.take()
    const optional = tokens.takeIf('?') !== undefined
    const name = this.fieldName(this.after)
    if (!optional && tokens.is('(')) return this.memberCall(operand, name)
    if (!optional)
      return { kind: 'select', operand, field: name.text, test: false, position: dot.start }
    if (!this.options.optionalSyntax) {
      this.issue(dot.start, "unsupported syntax '.?'")
      return this.broken()
    }
    return call(OPERATORS.optionalSelect, dot.start, operand, {
      kind: 'constant',
      value: name.text,
      position: name.start,
    })
  }

  /** The tokens that name a field. */
  private get names(): TokenSet {
    return this.options.quotedNames ? NAMES : NAME
  }

  private fieldName(after: TokenSet): Token {
    const { tokens } = this
    const { quotedNames } = this.options
    if (!quotedNames) return tokens.expect('IDENTIFIER', after)
    tokens.sync(NAMES)
    const name = tokens.take()
    if (name.kind === 'ESC_IDENTIFIER') this.issue(name.start, "unsupported syntax: '`'")
    return name
  }

  private memberCall(target: Expression, name: Token): Expression {
    const open = this.tokens.take()
    return this.callWith({
      kind: 'call',
      function: name.text,
      target,
      arguments: [],
      position: open.start,
    })
  }

  /**
   * Parses the arguments of a call. A macro reports its issues even without a closing parenthesis.
   */
  private callWith(call: Call): Expression {
    const { tokens } = this
    try {
      tokens.sync(BEGINS.argumentsOrEnd)
      this.height = 0
      if (!tokens.is(')')) {
        tokens.rule(
          setOf(')'),
          () => {
            do call.arguments.push(this.inside(setOf(','), AFTER.argument))
            while (tokens.takeIf(','))
          },
          () => {},
        )
      }
      tokens.expect(')', this.after)
    } catch (error) {
      this.called(call)
      this.begunAt = call.position
      throw error
    }
    return this.called(call)
  }

  private called(call: Call): Expression {
    const expanded = expandMacro(call, this.options)
    if (expanded === undefined) return call
    if (!('message' in expanded)) return expanded
    this.issues.push(expanded)
    return broken(expanded.position)
  }

  /** Parses one of several expressions; the depth is that of the deepest. */
  private inside(follow: TokenSet, after: TokenSet): Expression {
    const { height } = this
    const expression = this.expression(follow, after)
    this.height = Math.max(height, this.height)
    return expression
  }

  private index(operand: Expression): Expression {
    const { tokens } = this
    const open = tokens.take()
    tokens.sync(BEGINS.element)
    const optional = tokens.takeIf('?') !== undefined
    const index = this.expression(setOf(']'), AFTER.index)
    this.expectEnd(']', open)
    if (optional && !this.options.optionalSyntax) {
      this.issue(open.start, "unsupported syntax '[?'")
      return this.broken()
    }
    return call(optional ? OPERATORS.optionalIndex : OPERATORS.index, open.start, operand, index)
  }

  private expectEnd(kind: ']' | '}', open: Token): void {
    this.begunAt = open.start
    this.tokens.expect(kind, this.after)
    this.begunAt = undefined
  }

  private primary(): Expression {
    const { tokens } = this
    const first = tokens.current
    /** The expression inside parentheses that do not close. */
    let nested: Expression | undefined
    tokens.begin(setOf('.', '['))
    try {
      tokens.sync(BEGINS.expression)
      switch (tokens.current.kind) {
        case '(':
          tokens.take()
          nested = this.expression(setOf(')'), AFTER.nested)
          tokens.expect(')', this.after)
          return nested
        case '[':
          return this.list()
        case '{':
          return this.map()
        case '.':
        case 'IDENTIFIER':
          return this.name()
        case '-':
          this.needsOperand(NUMBERS)
          return this.literal()
        default:
          return this.literal()
      }
    } catch (error) {
      const { position } = this.repaired(error)
      if (nested !== undefined) return nested
      // An unclosed list or map has the position of its start, a single dot has none (policy-
      // compile).
      return broken(
        BRACKETS.has(first.kind) ? first.start : first.kind === '.' ? NO_PLACE : position,
      )
    } finally {
      tokens.end()
    }
  }

  private name(): Expression {
    const { tokens } = this
    const next = tokens.peek()
    if (tokens.is('.') && next.kind !== 'IDENTIFIER')
      tokens.noAlternative(tokens.current, next, 'name')
    const message = this.messageName()
    if (message !== undefined) return this.message(message)
    const dot = tokens.takeIf('.')
    const name = tokens.take()
    const text = `${dot ? '.' : ''}${name.text}`
    if (RESERVED.has(name.text)) return this.reserved(name, (dot ?? name).start)
    if (!tokens.is('(')) return { kind: 'identifier', name: text, position: name.start }
    const open = tokens.take()
    return this.callWith({ kind: 'call', function: text, arguments: [], position: open.start })
  }

  /** A keyword is not a name, so the arguments of its call are not parsed. */
  private reserved({ text }: Token, position: number): Expression {
    const { tokens, issues } = this
    this.issue(position, `reserved identifier: ${text}`)
    if (!tokens.is('(')) return broken(position)
    const found = issues.length
    const open = tokens.take()
    try {
      this.callWith({ kind: 'call', function: text, arguments: [], position: open.start })
    } catch (error) {
      this.begunAt = position
      throw error
    } finally {
      issues.length = found
      this.height = 0
    }
    return broken(position)
  }

  /** Returns the number of tokens of a dotted name before a brace; undefined without a brace. */
  private messageName(): number | undefined {
    const { tokens } = this
    let ahead = tokens.is('.') ? 1 : 0
    while (tokens.peek(ahead).kind === 'IDENTIFIER' && tokens.peek(ahead + 1).kind === '.')
      ahead += 2
    return tokens.peek(ahead).kind === 'IDENTIFIER' && tokens.peek(ahead + 1).kind === '{'
      ? ahead + 1
      : undefined
  }

  private message(length: number): Expression {
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

  private list(): Expression {
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

  private map(): Expression {
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

  /** A key without a colon has no value. */
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

  /** Parses the end of a literal, after an optional comma. */
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

  private literal(): Expression {
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

const BRACKETS = setOf('[', '{')

export function call(name: string, position: number, ...operands: Expression[]): Call {
  return { kind: 'call', function: name, arguments: operands, position }
}
