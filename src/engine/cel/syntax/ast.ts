/** The syntax tree of an expression. Positions are code points from the start of the text. */
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

/** `operand.field`, or with `test` the macro `has(operand.field)`. */
export interface Select extends Located {
  kind: 'select'
  operand: Expression
  field: string
  test: boolean
}

/** Operators are functions with names such as `_+_`, `_?_:_` and `_[_]`. */
export interface Call extends Located {
  kind: 'call'
  function: string
  target?: Expression
  arguments: Expression[]
}

export interface ListLiteral extends Located {
  kind: 'list'
  elements: Expression[]
  /** The indices of optional elements: `[?e]`. */
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

/** A loop over a range. Only macros create loops. */
export interface Comprehension extends Located {
  kind: 'comprehension'
  range: Expression
  /** The item of a list or the key of a map; with a second variable, the index or the key. */
  variable: string
  /** The item of a list or the value of a map. */
  secondVariable?: string
  accumulator: string
  initial: Expression
  condition: Expression
  step: Expression
  result: Expression
}

/** The function names of operators. */
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
 * Returns `a.b.c` as a dotted name, with a leading dot, if the expression has only names.
 * @param most undefined for a name of more parts
 */
export function dottedName(expression: Expression, most: number): string | undefined {
  if (most === 0) return undefined
  if (expression.kind === 'identifier') return expression.name
  if (expression.kind !== 'select' || expression.test) return undefined
  const prefix = dottedName(expression.operand, most - 1)
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`
}
