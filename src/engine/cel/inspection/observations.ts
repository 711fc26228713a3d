/** What happened in each part of an expression during one evaluation. */

import type { Frame, Step } from '../evaluation/frame'
import type { Observer } from '../evaluation/planner'
import type { Expression } from '../syntax/ast'
import type { Value } from '../values/value'

export interface Observation {
  /** The first values in their order; an evaluation that was given up has none. */
  values: Value[]
  /** How often the part was evaluated: in a loop once a round, behind a decided `&&` not at all. */
  evaluations: number
  /** Steps of the part with all that is in it. */
  cost: number
  /** Steps that are of no part in it. */
  ownCost: number
}

/** Of a part that is evaluated very often only so many values are kept. */
const MOST_VALUES = 100

export class Observations implements Observer {
  readonly byPart = new Map<Expression, Observation>()
  /** Steps that the parts in those that are being evaluated have taken so far, innermost last. */
  private readonly inner: number[] = [0]

  constant(part: Expression, value: Value): void {
    this.of(part).values.push(value)
  }

  observed(part: Expression, step: Step): Step {
    return (frame) => {
      const observation = this.of(part)
      if (observation.evaluations++ === 0) observation.values.length = 0
      const before = frame.cost
      this.inner.push(0)
      try {
        const value = step(frame)
        if (observation.values.length < MOST_VALUES) observation.values.push(value)
        return value
      } finally {
        this.left(observation, frame, before)
      }
    }
  }

  private left(observation: Observation, frame: Frame, before: number): void {
    const cost = frame.cost - before
    observation.cost += cost
    observation.ownCost += cost - (this.inner.pop() ?? 0)
    this.insideOther(cost)
  }

  paid(part: Expression, steps: number): void {
    const observation = this.of(part)
    observation.cost += steps
    observation.ownCost += steps
    this.insideOther(steps)
  }

  /** The steps are no own ones of what is being evaluated now. */
  private insideOther(steps: number): void {
    this.inner.push((this.inner.pop() ?? 0) + steps)
  }

  private of(part: Expression): Observation {
    let observation = this.byPart.get(part)
    if (observation === undefined) {
      observation = { values: [], evaluations: 0, cost: 0, ownCost: 0 }
      this.byPart.set(part, observation)
    }
    return observation
  }
}
