/**
 * Operands of expressions: names, literals, lists, maps, messages, calls, and what is taken of them. What stands between them is
 * the business of `parser.ts`, which is asked for the expressions inside.
 */
import { type Call, type Expression, type FieldEntry, type MapEntry, OPERATORS } from './ast'
import { AFTER, BEGINS, LITERAL_WORDS, NOTHING, NUMBERS, RESERVED } from './grammar'
import type { Token } from './lexer'
import { literalValue } from './literals'
import { expandMacro, type MacroOptions } from './macros'
import { type Issue, NO_PLACE } from './source'
import type { Spans } from './spans'
import { Abandoned, setOf, type TokenReader, type TokenSet } from './token-reader'

export interface ParserOptions extends MacroOptions {
  optionalSyntax: boolean
  /** Is told where each part stands that is written in the text; parts that a macro adds stand nowhere. */
  spans?: Spans | undefined
}

/** The real server's limit of each rule that may be inside itself, but for what is only gone on with: `1 + 1 + 1`, `a.b.c`. */
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

  /** Of the part that was read last: how many operators, fields, indices and calls of members are inside one another. */
  height = 0

  /** What may come after an operand here: by it a missing token is told from a wrong one. */
  protected after: TokenSet = AFTER.whole

  constructor(
    protected readonly tokens: TokenReader,
    private readonly issues: Issue[],
    protected readonly options: ParserOptions,
  ) {}

  /**
   * @param follow where reading may go on if the expression cannot be read
   * @param after what may come after each of its operands
   */
  protected abstract expression(follow: TokenSet, after: TokenSet): Expression

  /** Notes that a part reaches from there to the last token that was taken. */
  protected spanned<Part extends Expression>(part: Part, start: number): Part {
    this.options.spans?.note(part, start, this.tokens.taken)
    return part
  }

  protected broken(): Expression {
    return broken(this.tokens.current.start)
  }

  /** Where the part began that could not be read to its end, if it is one with a place of its own. */
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

  /** What a minus stands before tells whether it is an operator or begins a number. */
  protected needsOperand(operands: TokenSet): void {
    const { tokens } = this
    const next = tokens.peek()
    if (!operands.has(next.kind)) tokens.noAlternative(tokens.current, next, 'operand')
  }

  /** An operand with all that is taken of it: `a.b[0].c()`. */
  protected member(): Expression {
    const { tokens } = this
    /** What stands before a `.` behind which there is no name: it stays as it is. */
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
    if (next.kind !== 'IDENTIFIER' && next.kind !== '?')
      tokens.noAlternative(tokens.current, next, 'member')
  }

  private select(operand: Expression): Expression {
    const { tokens } = this
    const dot = tokens.take()
    const optional = tokens.takeIf('?') !== undefined
    const name = tokens.expect('IDENTIFIER', this.after)
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

  /** Reads the arguments of a call. What is wrong with those of a macro is told even if the call does not end. */
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

  /** One of several expressions inside an operand, which is as high as the highest of them. */
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
    /** What stands between parentheses that do not close. */
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
      // A list or map that does not end is one from where it began; of a dot alone nobody knows the place (recorded).
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

  /** A word that is no name, so that what it is called with is not looked at either. */
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

  /** How many tokens of a dotted name stand before a brace; undefined if none does. */
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
    tokens.sync(BEGINS.fieldsOrEnd)
    const fields: FieldEntry[] = []
    if (BEGINS.field.has(tokens.current.kind)) {
      tokens.rule(
        setOf(',', '}'),
        () => {
          do fields.push(this.field())
          while (tokens.is(',') && BEGINS.field.has(tokens.peek().kind) && tokens.take())
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
    const name = tokens.expect('IDENTIFIER', setOf(':'))
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

  /** A key without a colon is not looked at. */
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

  /** The end of a literal, before which a comma may stand. */
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
