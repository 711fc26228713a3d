import type { Overload } from '../library/function'
import type { Call, Expression } from '../syntax/ast'
import type { Issue } from '../syntax/source'
import type { Value } from '../values/value'
import type { Type } from './type'

export interface NameReference {
  name: string
  /** Of a constant, such as a type. */
  value?: Value
}
export interface Checked {
  types: Map<Expression, Type>
  names: Map<Expression, NameReference>
  calls: Map<Call, { function: string; overloads: readonly Overload[] }>
  issues: Issue[]
}
