/**
 * From a text to a tree (the language's grammar: github.com/google/cel-spec, doc/langdef.md, "Syntax"). Reads by recursive
 * descent; what happens where the text does not fit is the token reader's business.
 */
import { type Call, type Expression, type FieldEntry, type MapEntry, OPERATORS } from './ast'
import { AFTER, BEGINS, BINARY, LEVELS, LITERAL_WORDS, NOTHING, RELATION, RESERVED } from './grammar'
import type { Token, TokenKind } from './lexer'
import { tokensOf } from './lexer'
import { literalValue } from './literals'
import { expandMacro, type MacroOptions } from './macros'
import type { Issue, Source } from './source'
import type { Spans } from './spans'
import { Abandoned, setOf, TokenReader, type TokenSet } from './token-reader'

export interface ParserOptions extends MacroOptions {
  optionalSyntax: boolean
  /** Is told where each part stands that is written in the text; parts that a macro adds stand nowhere. */
  spans?: Spans | undefined
}

/** Limits of the real server's parser. */
const MAX_DEPTH = 250
const MAX_CODE_POINTS = 100_000

/** @returns a tree, and what is wrong; the tree means something only if nothing is */
export function parse(source: Source, options: ParserOptions): { expression: Expression; issues: Issue[] } {
  const size = source.characters.length
  if (size > MAX_CODE_POINTS) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`
    return { expression: broken(0), issues: [{ position: -1, message }] }
  }
  const { tokens, issues } = tokensOf(source)
  try {
    return { expression: new Parser(new TokenReader(tokens, issues, source.characters), issues, options).start(), issues }
  } catch (error) {
    if (error instanceof Abandoned)
      return { expression: broken(0), issues: error.issue.position < 0 ? [error.issue] : [...issues, error.issue] }
    throw error
  }
}

/** Rules of the grammar that may be inside themselves, whose depth is limited each by itself. */
type RecursiveRule = 'expression' | 'relation' | 'calculation' | 'member'

const broken = (position: number): Expression => ({ kind: 'constant', value: null, position })

class Parser {
  private readonly depth: Record<RecursiveRule, number> = { expression: 0, relation: 0, calculation: 0, member: 0 }

  /** What may come after an operand here: by it a missing token is told from a wrong one. */
  private after: TokenSet = AFTER.whole

  constructor(
    private readonly tokens: TokenReader,
    private readonly issues: Issue[],
    private readonly options: ParserOptions,
  ) {}

  start(): Expression {
    const { tokens } = this
    return tokens.rule(
      NOTHING,
      () => {
        const expression = this.expression(setOf('<EOF>'), AFTER.whole)
        tokens.expect('<EOF>', NOTHING)
        return expression
      },
      () => broken(0),
    )
  }

  /** Notes that a part reaches from there to the last token that was taken. */
  private spanned<Part extends Expression>(part: Part, start: number): Part {
    this.options.spans?.note(part, start, this.tokens.taken)
    return part
  }

  private broken(): Expression {
    return broken(this.tokens.current.start)
  }

  private repaired(error: unknown): Expression {
    this.tokens.repair(error)
    return this.broken()
  }

  private issue(position: number, message: string): void {
    this.issues.push({ position, message })
  }

  /**
   * @param follow where reading may go on if the expression cannot be read
   * @param after what may come after each of its operands
   */
  private expression(follow: TokenSet, after: TokenSet): Expression {
    const outside = this.after
    this.after = after
    this.deeper('expression')
    this.deeper('relation')
    this.deeper('calculation')
    const expression = this.conditionalWithin(follow)
    this.shallower('expression', 1)
    this.shallower('relation', 1)
    this.shallower('calculation', 1)
    this.after = outside
    return expression
  }

  private deeper(rule: RecursiveRule): void {
    if (++this.depth[rule] > MAX_DEPTH) throw new Abandoned({ position: -1, message: `expression recursion limit exceeded: ${MAX_DEPTH}` })
  }

  private shallower(rule: RecursiveRule, levels: number): void {
    this.depth[rule] -= levels
  }

  private conditionalWithin(follow: TokenSet): Expression {
    const { tokens } = this
    tokens.begin(follow)
    try {
      const { start } = tokens.current
      const condition = this.operationWithin(setOf('?'))
      const question = tokens.takeIf('?')
      if (question === undefined) return condition
      const outside = this.after
      this.after = AFTER.whenTrue
      const whenTrue = this.operationWithin(setOf(':'))
      this.after = outside
      tokens.expect(':', BEGINS.expression)
      return this.spanned(call(OPERATORS.conditional, question.start, condition, whenTrue, this.expression(NOTHING, this.after)), start)
    } catch (error) {
      return this.repaired(error)
    } finally {
      tokens.end()
    }
  }

  private operationWithin(follow: TokenSet): Expression {
    this.tokens.begin(follow)
    try {
      return this.operation(0)
    } catch (error) {
      return this.repaired(error)
    } finally {
      this.tokens.end()
    }
  }

  /** Operators with two operands, those of a higher level first; within a level from left to right. */
  private operation(minimum: number): Expression {
    const { tokens } = this
    const pushed = { relation: 0, calculation: 0 }
    const { start } = tokens.current
    let left = this.unary()
    for (;;) {
      const { kind } = tokens.current
      const level = LEVELS[kind]
      if (level === undefined || level < minimum) break
      if (level < RELATION) {
        left = this.chain(left, kind, level, start)
        continue
      }
      const rule = level === RELATION ? 'relation' : 'calculation'
      this.deeper(rule)
      pushed[rule]++
      const operator = tokens.take()
      left = this.spanned(call(kind === 'in' ? '@in' : `_${kind}_`, operator.start, left, this.operation(level + 1)), start)
    }
    this.shallower('relation', pushed.relation)
    this.shallower('calculation', pushed.calculation)
    return left
  }

  /** Terms joined by `||` or `&&`; the tree is balanced, so that a long chain is not deep. */
  private chain(first: Expression, kind: TokenKind, level: number, start: number): Expression {
    const { tokens } = this
    const terms = [{ expression: first, start, end: tokens.taken }]
    const positions: number[] = []
    for (let operator = tokens.takeIf(kind); operator !== undefined; operator = tokens.takeIf(kind)) {
      positions.push(operator.start)
      const { start } = tokens.current
      terms.push({ expression: this.operation(level + 1), start, end: tokens.taken })
    }
    return this.balanced(kind === '||' ? OPERATORS.or : OPERATORS.and, terms, positions, 0, positions.length - 1)
  }

  private balanced(name: string, terms: readonly Term[], positions: readonly number[], low: number, high: number): Expression {
    if (positions.length === 0) return (terms[0] as Term).expression
    const middle = Math.floor((low + high + 1) / 2)
    const left = middle === low ? (terms[middle] as Term).expression : this.balanced(name, terms, positions, low, middle - 1)
    const right = middle === high ? (terms[middle + 1] as Term).expression : this.balanced(name, terms, positions, middle + 1, high)
    const joined = call(name, positions[middle] as number, left, right)
    this.options.spans?.note(joined, (terms[low] as Term).start, (terms[high + 1] as Term).end)
    return joined
  }

  private unary(): Expression {
    const { tokens } = this
    tokens.begin(BINARY)
    try {
      tokens.sync(BEGINS.expression)
      const operator = tokens.current
      const isNegativeNumber = operator.kind === '-' && isNumber(tokens.peek())
      if (isNegativeNumber || (operator.kind !== '!' && operator.kind !== '-')) return this.member()
      let count = 0
      for (; tokens.is(operator.kind); count++) {
        if (operator.kind === '-') this.needsOperand(BEGINS.operand)
        tokens.take()
      }
      if (operator.kind === '!') tokens.unwanted(BEGINS.expression)
      const operand = this.member()
      if (count % 2 === 0) return operand
      return this.spanned(call(operator.kind === '!' ? OPERATORS.not : OPERATORS.negate, operator.start, operand), operator.start)
    } catch (error) {
      return this.repaired(error)
    } finally {
      tokens.end()
    }
  }

  /** What a minus stands before tells whether it is an operator or begins a number. */
  private needsOperand(operands: TokenSet): void {
    const { tokens } = this
    const next = tokens.peek()
    if (!operands.has(next.kind)) tokens.noAlternative(tokens.current, next)
  }

  private member(): Expression {
    const { tokens } = this
    this.deeper('member')
    let levels = 1
    tokens.begin(NOTHING)
    try {
      const { start } = tokens.current
      let operand = this.spanned(this.primary(), start)
      while (tokens.is('.') || tokens.is('[')) {
        this.deeper('member')
        levels++
        operand = this.spanned(tokens.is('.') ? this.select(operand) : this.index(operand), start)
      }
      return operand
    } catch (error) {
      return this.repaired(error)
    } finally {
      tokens.end()
      this.shallower('member', levels)
    }
  }

  private select(operand: Expression): Expression {
    const { tokens } = this
    const next = tokens.peek()
    if (next.kind !== 'IDENTIFIER' && next.kind !== '?') tokens.noAlternative(tokens.current, next)
    const dot = tokens.take()
    const optional = tokens.takeIf('?') !== undefined
    const name = tokens.expect('IDENTIFIER', this.after)
    if (!optional && tokens.is('(')) return this.memberCall(operand, name)
    if (!optional) return { kind: 'select', operand, field: name.text, test: false, position: dot.start }
    if (!this.options.optionalSyntax) {
      this.issue(dot.start, "unsupported syntax '.?'")
      return this.broken()
    }
    return call(OPERATORS.optionalSelect, dot.start, operand, { kind: 'constant', value: name.text, position: name.start })
  }

  private memberCall(target: Expression, name: Token): Expression {
    const open = this.tokens.take()
    return this.called({ kind: 'call', function: name.text, target, arguments: this.arguments(), position: open.start })
  }

  private arguments(): Expression[] {
    const { tokens } = this
    tokens.sync(BEGINS.argumentsOrEnd)
    const list: Expression[] = []
    if (!tokens.is(')')) {
      tokens.rule(
        setOf(')'),
        () => {
          do list.push(this.expression(setOf(','), AFTER.argument))
          while (tokens.takeIf(','))
        },
        () => {},
      )
    }
    tokens.expect(')', this.after)
    return list
  }

  private called(call: Call): Expression {
    const expanded = expandMacro(call, this.options)
    if (expanded === undefined) return call
    if (!('message' in expanded)) return expanded
    this.issues.push(expanded)
    return this.broken()
  }

  private index(operand: Expression): Expression {
    const { tokens } = this
    const open = tokens.take()
    tokens.sync(BEGINS.element)
    const optional = tokens.takeIf('?') !== undefined
    const index = this.expression(setOf(']'), AFTER.index)
    tokens.expect(']', this.after)
    if (optional && !this.options.optionalSyntax) {
      this.issue(open.start, "unsupported syntax '[?'")
      return this.broken()
    }
    return call(optional ? OPERATORS.optionalIndex : OPERATORS.index, open.start, operand, index)
  }

  private primary(): Expression {
    const { tokens } = this
    tokens.begin(setOf('.', '['))
    try {
      tokens.sync(BEGINS.expression)
      switch (tokens.current.kind) {
        case '(':
          return this.nested()
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
      return this.repaired(error)
    } finally {
      tokens.end()
    }
  }

  private nested(): Expression {
    this.tokens.take()
    const inner = this.expression(setOf(')'), AFTER.nested)
    this.tokens.expect(')', this.after)
    return inner
  }

  private name(): Expression {
    const { tokens } = this
    const next = tokens.peek()
    if (tokens.is('.') && next.kind !== 'IDENTIFIER') tokens.noAlternative(tokens.current, next)
    const message = this.messageName()
    if (message !== undefined) return this.message(message)
    const dot = tokens.takeIf('.')
    const name = tokens.take()
    const text = `${dot ? '.' : ''}${name.text}`
    if (RESERVED.has(name.text)) this.issue((dot ?? name).start, `reserved identifier: ${name.text}`)
    if (!tokens.is('(')) return { kind: 'identifier', name: text, position: name.start }
    const open = tokens.take()
    return this.called({ kind: 'call', function: text, arguments: this.arguments(), position: open.start })
  }

  /** How many tokens of a dotted name stand before a brace; undefined if none does. */
  private messageName(): number | undefined {
    const { tokens } = this
    let ahead = tokens.is('.') ? 1 : 0
    while (tokens.peek(ahead).kind === 'IDENTIFIER' && tokens.peek(ahead + 1).kind === '.') ahead += 2
    return tokens.peek(ahead).kind === 'IDENTIFIER' && tokens.peek(ahead + 1).kind === '{' ? ahead + 1 : undefined
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
    this.close('}')
    return { kind: 'struct', name, fields, position: open.start }
  }

  private field(): FieldEntry {
    const { tokens } = this
    const optional = this.optionalMark()
    const name = tokens.expect('IDENTIFIER', setOf(':'))
    const colon = tokens.expect(':', BEGINS.expression)
    return { field: name.text, value: this.expression(setOf(','), AFTER.value), optional, position: colon.start }
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
            elements.push(this.expression(setOf(','), AFTER.item))
          } while (tokens.is(',') && BEGINS.element.has(tokens.peek().kind) && tokens.take())
        },
        () => {},
      )
    }
    this.close(']')
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
            const key = this.expression(setOf(':'), AFTER.key)
            const colon = tokens.expect(':', BEGINS.expression)
            entries.push({ key, value: this.expression(setOf(','), AFTER.value), optional, position: colon.start })
          } while (tokens.is(',') && BEGINS.element.has(tokens.peek().kind) && tokens.take())
        },
        () => {},
      )
    }
    this.close('}')
    return { kind: 'map', entries, position: open.start }
  }

  /** The end of a literal, before which a comma may stand. */
  private close(kind: ']' | '}'): void {
    const { tokens } = this
    tokens.sync(setOf(kind, ','))
    tokens.takeIf(',')
    tokens.expect(kind, this.after)
  }

  private optionalMark(): boolean {
    const mark = this.tokens.takeIf('?')
    if (mark !== undefined && !this.options.optionalSyntax) this.issue(mark.start, "unsupported syntax '?'")
    return mark !== undefined
  }

  private literal(): Expression {
    const { tokens } = this
    const first = tokens.current
    const negative = tokens.takeIf('-') !== undefined
    const token = tokens.take()
    const value = literalValue(token, negative)
    if (value === undefined) {
      this.issue(first.start, `invalid ${LITERAL_WORDS[token.kind] ?? 'literal'}${token.kind === 'STRING' ? `: ${token.text}` : ''}`)
      return this.broken()
    }
    return { kind: 'constant', value, position: first.start }
  }
}

/** One side of `||` or `&&`. */
interface Term {
  expression: Expression
  start: number
  end: number
}

const NUMBERS = setOf('NUM_INT', 'NUM_FLOAT')
const isNumber = ({ kind }: Token): boolean => NUMBERS.has(kind)

function call(name: string, position: number, ...operands: Expression[]): Call {
  return { kind: 'call', function: name, arguments: operands, position }
}
