import type { Overload } from '../library/function'
import type { Call, Expression } from '../syntax/ast'
import type { Issue } from '../syntax/source'
import type { Value } from '../values/value'
import type { Type } from './type'

/** A name that stands for something declared. */

export interface NameReference {
  name: string
  /** Of a name that is a type or another constant. */
  value?: Value
}
export interface Checked {
  types: Map<Expression, Type>
  names: Map<Expression, NameReference>
  /** Overloads that a call may come to, by the types that are known. */
  calls: Map<Call, { function: string; overloads: readonly Overload[] }>
  issues: Issue[]
}
