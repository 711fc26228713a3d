/** What one evaluation goes on: the values of names, and the steps that are left. */
import type { Value } from '../values/value'

/** Values by declared name; a value that is not there yet is asked for when it is needed. */
export interface Activation {
  /** @returns undefined if there is none */
  resolve(name: string): Value | undefined
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
  readonly locals: Value[]

  /** @param places how many variables of loops are in sight at once */
  constructor(
    readonly activation: Activation,
    readonly limit: number,
    places: number,
  ) {
    this.locals = places === 0 ? NO_LOCALS : new Array<Value>(places)
  }

  /** Takes so many steps at once, as for a call. @throws CostExceeded */
  spend(steps: number): void {
    this.cost += steps
    if (this.cost > this.limit) throw new CostExceeded()
  }

  /** Takes so many steps one by one: the first that is too much ends the evaluation. @throws CostExceeded */
  walk(steps: number): void {
    this.cost += steps
    if (this.cost > this.limit) {
      this.cost = this.limit + 1
      throw new CostExceeded()
    }
  }
}

const NO_LOCALS: Value[] = []

export type Step = (frame: Frame) => Value
