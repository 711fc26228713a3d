/** Parts of an expression as the planner passes them on, and the observer of an evaluation. */
import type { Expression } from '../syntax/ast'
import type { Value } from '../values/value'
import type { Fields } from './access'
import type { Step } from './frame'

/** Observes the evaluation of each part, for tools. Plans without an observer are faster. */
export interface Observer {
  constant(part: Expression, value: Value): void
  /** Returns a step that also reports the part's value. */
  observed(part: Expression, step: Step): Step
  /** A part costs steps outside its own evaluation: a name is counted at the end of its path. */
  paid(part: Expression, steps: number): void
}

export interface Planned {
  /** Evaluates the part without the cost of the path itself. */
  bare: Step
  /** The cost in addition to the parts: 1 for a path. */
  own: 0 | 1
  isPath: boolean
  constant?: Value
  /** The start of the path, which `own` is the cost of. */
  root?: Expression | undefined
  /** The path has fields, keys or indices after its start. */
  hasSteps?: boolean
  /** The variable that the path starts with. */
  variable?: string | undefined
  /** The path is a start followed by fields only. */
  along?: { start: Step; fields: Fields; isStart: boolean }
  /** Evaluates the path with its own cost. */
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
