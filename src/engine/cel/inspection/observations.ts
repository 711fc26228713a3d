import type { Frame, Step } from '../evaluation/frame'
import type { Observer } from '../evaluation/planned'
import type { Expression } from '../syntax/ast'
import type { Value } from '../values/value'

export interface Observation {
  /** None of a canceled evaluation. */
  values: Value[]
  /** One per round of a loop, none after a decided `&&`. */
  evaluations: number
  cost: number
  /** Without inner parts. */
  ownCost: number
}

const MOST_VALUES = 100

export class Observations implements Observer {
  readonly byPart = new Map<Expression, Observation>()
  /** For each part under evaluation, innermost last. */
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
