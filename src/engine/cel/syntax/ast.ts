/** Positions are code points. */
import type { Value } from '../values/value'

export type Expression =
  | Constant
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | StructLiteral
  | Comprehension

interface Located {
  position: number
}

export interface Constant extends Located {
  kind: 'constant'
  value: Value
}

export interface Identifier extends Located {
  kind: 'identifier'
  name: string
}

/** With `test`: the macro `has(operand.field)`. */
export interface Select extends Located {
  kind: 'select'
  operand: Expression
  field: string
  test: boolean
}

/** Operators are functions such as `_+_`, `_?_:_` and `_[_]`. */
export interface Call extends Located {
  kind: 'call'
  function: string
  target?: Expression
  arguments: Expression[]
}

export interface ListLiteral extends Located {
  kind: 'list'
  elements: Expression[]
  /** The indices of `[?e]`. */
  optional: ReadonlySet<number>
}

export interface MapEntry extends Located {
  key: Expression
  value: Expression
  optional: boolean
}

export interface MapLiteral extends Located {
  kind: 'map'
  entries: MapEntry[]
}

export interface FieldEntry extends Located {
  field: string
  value: Expression
  optional: boolean
}

export interface StructLiteral extends Located {
  kind: 'struct'
  name: string
  fields: FieldEntry[]
}

/** Only macros create loops. */
export interface Comprehension extends Located {
  kind: 'comprehension'
  range: Expression
  /** The index or key if there is a second variable. */
  variable: string
  secondVariable?: string
  accumulator: string
  initial: Expression
  condition: Expression
  step: Expression
  result: Expression
}

export const OPERATORS = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  negate: '-_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  notStrictlyFalse: '@not_strictly_false',
} as const

/**
 * `a.b.c`, with an optional leading dot.
 * @returns undefined for other expressions, and above `most` parts
 */
export function dottedName(expression: Expression, most: number): string | undefined {
  if (most === 0) return undefined
  if (expression.kind === 'identifier') return expression.name
  if (expression.kind !== 'select' || expression.test) return undefined
  const prefix = dottedName(expression.operand, most - 1)
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`
}
