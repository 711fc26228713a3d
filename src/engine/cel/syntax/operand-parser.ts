import { type Call, type Expression, OPERATORS } from './ast'
import { AFTER, BEGINS, NOTHING, NUMBERS, RESERVED } from './grammar'
import type { Token } from './lexer'
import { broken, LiteralParser } from './literal-parser'
import { expandMacro } from './macros'
import { NO_PLACE } from './source'
import { setOf, type TokenSet } from './token-reader'

export abstract class OperandParser extends LiteralParser {
  /** A minus is an operator or part of a number, depending on the next token. */
  protected needsOperand(operands: TokenSet): void {
    const { tokens } = this
    const next = tokens.peek()
    if (!operands.has(next.kind)) tokens.noAlternative(tokens.current, next, 'operand')
  }

  /** `a.b[0].c()` */
  protected member(): Expression {
    const { tokens } = this
    /** The result if no name follows a dot. */
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

  /** Expands macros even if `)` is missing, so that their errors are reported too. */
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

  private primary(): Expression {
    const { tokens } = this
    const first = tokens.current
    /** The result for an unclosed parenthesis. */
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
      // Unclosed lists and maps have the position of their start, a single dot none
      // (policy-compile).
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

  /** A keyword is not a name, so its arguments are not parsed. */
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
}

const BRACKETS = setOf('[', '{')

export function call(name: string, position: number, ...operands: Expression[]): Call {
  return { kind: 'call', function: name, arguments: operands, position }
}
