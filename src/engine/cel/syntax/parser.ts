/** Recursive descent (github.com/google/cel-spec, doc/langdef.md, "Syntax"). */
import { largest } from '../../core/lists'
import { type Expression, OPERATORS } from './ast'
import { AFTER, BEGINS, BINARY, LEVELS, NOTHING, NUMBERS, RELATION } from './grammar'
import { type Token, type TokenKind, tokensOf } from './lexer'
import { broken, type ParserOptions } from './literal-parser'
import { call, OperandParser } from './operand-parser'
import type { Issue, Source } from './source'
import { Abandoned, setOf, TokenReader, type TokenSet } from './token-reader'

/** Limits of cel-go. */
const MAX_CODE_POINTS = 100_000
const MAX_HEIGHT = 250

/** The tree is meaningful only without issues. */
export function parse(
  source: Source,
  options: ParserOptions,
): { expression: Expression; issues: Issue[] } {
  const size = source.characters.length
  if (size > MAX_CODE_POINTS) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`
    return { expression: broken(0), issues: [{ position: -1, message }] }
  }
  const { tokens, issues: syntax, characters } = tokensOf(source, options.quotedNames !== 'unknown')
  const issues: Issue[] = []
  try {
    const parser = new Parser(new TokenReader(tokens, syntax, characters), issues, options)
    const expression = parser.start()
    syntax.sort((a, b) => a.position - b.position)
    if (parser.height <= MAX_HEIGHT) return { expression, issues: [...syntax, ...issues] }
    return {
      expression: broken(0),
      issues: [...syntax, { position: -1, message: 'max recursion depth exceeded' }],
    }
  } catch (error) {
    if (!(error instanceof Abandoned)) throw error
    const before = syntax
      .filter(({ position }) => position < error.at)
      .sort((a, b) => a.position - b.position)
    return { expression: broken(0), issues: [...before, error.issue] }
  }
}

class Parser extends OperandParser {
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

  protected expression(follow: TokenSet, after: TokenSet): Expression {
    const outside = this.after
    this.after = after
    this.deeper('expression')
    this.deeper('relation')
    this.deeper('calculation')
    const expression = this.conditionalWithin(follow)
    this.shallower('expression')
    this.shallower('relation')
    this.shallower('calculation')
    this.after = outside
    return expression
  }

  private conditionalWithin(follow: TokenSet): Expression {
    const { tokens } = this
    tokens.begin(follow)
    try {
      const { start } = tokens.current
      const condition = this.operationWithin(setOf('?'))
      const question = tokens.takeIf('?')
      if (question === undefined) return condition
      const heights = [this.height]
      const outside = this.after
      this.after = AFTER.whenTrue
      const whenTrue = this.operationWithin(setOf(':'))
      heights.push(this.height)
      this.after = outside
      this.begunAt = question.start
      tokens.expect(':', BEGINS.expression)
      this.begunAt = undefined
      const whenFalse = this.expression(NOTHING, this.after)
      this.height = 1 + largest(heights, this.height)
      return this.spanned(
        call(OPERATORS.conditional, question.start, condition, whenTrue, whenFalse),
        start,
      )
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

  /** By precedence, left to right. */
  private operation(minimum: number): Expression {
    const { tokens } = this
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
      const { height } = this
      const operator = tokens.take()
      this.deeper(rule)
      const right = this.operation(level + 1)
      this.shallower(rule)
      this.height = 1 + Math.max(height, this.height)
      left = this.spanned(
        call(kind === 'in' ? '@in' : `_${kind}_`, operator.start, left, right),
        start,
      )
    }
    return left
  }

  /** Balanced, so long chains are not deep. */
  private chain(first: Expression, kind: TokenKind, level: number, start: number): Expression {
    const { tokens } = this
    const terms = [{ expression: first, start, end: tokens.taken }]
    const positions: number[] = []
    let { height } = this
    for (
      let operator = tokens.takeIf(kind);
      operator !== undefined;
      operator = tokens.takeIf(kind)
    ) {
      positions.push(operator.start)
      const { start } = tokens.current
      terms.push({ expression: this.operation(level + 1), start, end: tokens.taken })
      height = Math.max(height, this.height)
    }
    this.height = height
    return this.balanced(
      kind === '||' ? OPERATORS.or : OPERATORS.and,
      terms,
      positions,
      0,
      positions.length - 1,
    )
  }

  private balanced(
    name: string,
    terms: readonly Term[],
    positions: readonly number[],
    low: number,
    high: number,
  ): Expression {
    if (positions.length === 0) return (terms[0] as Term).expression
    const middle = Math.floor((low + high + 1) / 2)
    const left =
      middle === low
        ? (terms[middle] as Term).expression
        : this.balanced(name, terms, positions, low, middle - 1)
    const right =
      middle === high
        ? (terms[middle + 1] as Term).expression
        : this.balanced(name, terms, positions, middle + 1, high)
    const joined = call(name, positions[middle] as number, left, right)
    this.options.spans?.note(joined, (terms[low] as Term).start, (terms[high + 1] as Term).end)
    return joined
  }

  private unary(): Expression {
    const { tokens } = this
    tokens.begin(BINARY)
    this.height = 0
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
      return this.spanned(
        call(operator.kind === '!' ? OPERATORS.not : OPERATORS.negate, operator.start, operand),
        operator.start,
      )
    } catch (error) {
      return this.repaired(error)
    } finally {
      tokens.end()
    }
  }
}

interface Term {
  expression: Expression
  start: number
  end: number
}

const isNumber = ({ kind }: Token): boolean => NUMBERS.has(kind)
