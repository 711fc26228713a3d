import type { Overload } from '../library/function'
import type { Call, Expression } from '../syntax/ast'
import type { Issue } from '../syntax/source'
import type { Value } from '../values/value'
import type { Type } from './type'

/** The declaration of a name. */

export interface NameReference {
  name: string
  /** The value of a name that is a constant, such as a type. */
  value?: Value
}
export interface Checked {
  types: Map<Expression, Type>
  names: Map<Expression, NameReference>
  /** The overloads of a call that fit the known types. */
  calls: Map<Call, { function: string; overloads: readonly Overload[] }>
  issues: Issue[]
}
