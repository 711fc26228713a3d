/** What one evaluation goes on: the values of names, and the steps that are left. */
import type { Value } from '../values/value'

/** Values by declared name; a value that is not there yet is asked for when it is needed. */
export interface Activation {
  /** @returns undefined if there is none */
  resolve(name: string, frame: Frame): Value | undefined
}

export const activationOf = (values: Readonly<Record<string, Value>>): Activation => ({
  resolve: (name) => (Object.hasOwn(values, name) ? values[name] : undefined),
})

/** Thrown when an expression has taken more steps than it may; no operator absorbs it. */
export class CostExceeded {
  readonly message = 'operation cancelled: actual cost limit exceeded'
}

export class Frame {
  /** Steps taken. */
  cost = 0
  /** Variables of loops, each in its place. */
  readonly locals: Value[] = []

  constructor(
    readonly activation: Activation,
    readonly limit: number,
  ) {}

  /** @throws CostExceeded */
  spend(steps: number): void {
    this.cost += steps
    if (this.cost > this.limit) throw new CostExceeded()
  }
}

export type Step = (frame: Frame) => Value
