import type { Expression } from '../syntax/ast'
import type { Value } from '../values/value'
import type { Fields } from './access'
import type { Step } from './frame'

export interface Observer {
  constant(part: Expression, value: Value): void
  /** Wraps the step to report the part's value. */
  observed(part: Expression, step: Step): Step
  /** A cost outside the part's own evaluation: a name counts at the end of its path. */
  paid(part: Expression, steps: number): void
}

export interface Planned {
  /** Without the cost of the path itself. */
  bare: Step
  /** 1 for a path, in addition to its parts. */
  own: 0 | 1
  isPath: boolean
  constant?: Value
  root?: Expression | undefined
  hasSteps?: boolean
  variable?: string | undefined
  /** Set if only fields follow the start. */
  along?: { start: Step; fields: Fields; isStart: boolean }
  whole?: Step
}

export const constantOf = (value: Value): Planned => ({
  bare: () => value,
  own: 0,
  isPath: false,
  constant: value,
})
export const computed = (bare: Step): Planned => ({ bare, own: 0, isPath: false })
export const path = (bare: Step, own: 0 | 1, root?: Expression): Planned => ({
  bare,
  own,
  isPath: true,
  root,
})
