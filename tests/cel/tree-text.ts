/** Trees as cel-go prints them for its own tests, without white space. */

import type { Constant, Expression } from '../../src/engine/cel/syntax/ast'
import { UInt } from '../../src/engine/cel/values/value'
import { formatDouble } from '../../src/engine/schema/go-number'
import { goQuote } from '../../src/engine/schema/go-text'

/** Returns the suffix of a part. */
type Mark = (part: Expression, kind: string) => string

/** The kinds of parts, as in a printed tree before the check. */
export const withKinds: Mark = (_part, kind) => `^#*expr.${kind}#`

export function treeText(part: Expression, mark: Mark, entryMark: string): string {
  const text = (inner: Expression) => treeText(inner, mark, entryMark)
  const list = (inner: readonly Expression[]) => inner.map(text).join(',')
  switch (part.kind) {
    case 'constant': {
      const [written, kind] = constantText(part)
      return written + mark(part, `Constant_${kind}Value`)
    }
    case 'identifier':
      return accumulatorText(part.name) + mark(part, 'Expr_IdentExpr')
    case 'select':
      return `${text(part.operand)}.${part.field}${part.test ? '~test-only~' : ''}${mark(part, 'Expr_SelectExpr')}`
    case 'call': {
      const target = part.target === undefined ? '' : `${text(part.target)}.`
      return `${target}${part.function}(${list(part.arguments)})${mark(part, 'Expr_CallExpr')}`
    }
    case 'list': {
      const elements = part.elements.map(
        (element, index) => `${part.optional.has(index) ? '?' : ''}${text(element)}`,
      )
      return `[${elements.join(',')}]${mark(part, 'Expr_ListExpr')}`
    }
    case 'map': {
      const entries = part.entries.map(
        ({ key, value, optional }) =>
          `${optional ? '?' : ''}${text(key)}:${text(value)}${entryMark}`,
      )
      return `{${entries.join(',')}}${mark(part, 'Expr_StructExpr')}`
    }
    case 'struct': {
      const fields = part.fields.map(
        ({ field, value, optional }) => `${optional ? '?' : ''}${field}:${text(value)}${entryMark}`,
      )
      return `${part.name}{${fields.join(',')}}${mark(part, 'Expr_StructExpr')}`
    }
    case 'comprehension': {
      const { variable, range, accumulator, initial, condition, step, result } = part
      const parts = [
        variable,
        text(range),
        accumulatorText(accumulator),
        text(initial),
        text(condition),
        text(step),
        text(result),
      ]
      return `__comprehension__(${parts.join(',')})${mark(part, 'Expr_ComprehensionExpr')}`
    }
  }
}

/** The accumulator variable of macros was renamed after the release. */
const accumulatorText = (name: string): string => (name === '__result__' ? '@result' : name)

function constantText({ value }: Constant): [text: string, kind: string] {
  if (value === null) return ['null', 'Null']
  if (value instanceof Uint8Array) return [`b"${bytesText(value)}"`, 'Bytes']
  if (value instanceof UInt) return [`${value.value}u`, 'Uint64']
  switch (typeof value) {
    case 'string':
      return [goQuote(value), 'String']
    case 'boolean':
      return [String(value), 'Bool']
    case 'number':
      return [formatDouble(value), 'Double']
    default:
      return [String(value), 'Int64']
  }
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns bytes as UTF-8 text, and invalid bytes as escapes. */
function bytesText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const character = [1, 2, 3, 4]
      .map((length) => decoded(bytes.subarray(at, at + length)))
      .find((found) => found !== undefined)
    text +=
      character === undefined
        ? `\\x${(bytes[at] as number).toString(16).padStart(2, '0')}`
        : goQuote(character).slice(1, -1)
    at += character === undefined ? 1 : new TextEncoder().encode(character).length
  }
  return text
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes)
  } catch {
    return undefined
  }
}

/** Removes spaces, line breaks and comments from a printed tree. */
export const withoutSpaces = (text: string): string =>
  text.replace(/\/\/ \w+\n/g, '').replace(/\s/g, '')

/** The types of a checked tree alone: the names of overloads differ there. */
export const withoutReferences = (text: string): string => text.replace(/\^[\w|@]+/g, '')
