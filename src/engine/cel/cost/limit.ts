/** Ends an evaluation whose cost exceeds its limit. */

/** No operator absorbs it. */
export class Cancellation {
  constructor(readonly message: string) {}
}

const COST_EXCEEDED = new Cancellation('operation cancelled: actual cost limit exceeded')

export class CostLimit {
  cost = 0

  constructor(readonly costLimit: number) {}

  /** @throws Cancellation above the limit */
  spend(steps: number): void {
    this.cost += steps
    if (this.cost > this.costLimit) throw COST_EXCEEDED
  }

  /** Like single steps: the cost ends one above the limit. @throws Cancellation */
  walk(steps: number): void {
    this.cost += steps
    if (this.cost > this.costLimit) {
      this.cost = this.costLimit + 1
      throw COST_EXCEEDED
    }
  }
}
