/** The state of one evaluation: variables, and the cost so far. */
import { entryOf } from '../../core/object'
import { ArrayList, type Value } from '../values/value'

/** The values of declared variables, computed when needed. */
export interface Activation {
  /** Returns undefined if there is no such variable. */
  resolve(name: string): Value | undefined
  /** Reports whether the variable holds JSON that the API server does not convert beforehand. */
  isNative?(name: string): boolean
}

export const activationOf = (values: Readonly<Record<string, Value>>): Activation => ({
  resolve: (name) => entryOf(values, name),
})

/** Thrown to end an evaluation; no operator absorbs it. */
export class Cancellation {
  constructor(readonly message: string) {}
}

const COST_EXCEEDED = new Cancellation('operation cancelled: actual cost limit exceeded')
const INTERRUPTED = new Cancellation('operation interrupted')

/**
 * The most characters and items that calls of constant cost may make in one evaluation. The API
 * server has no such limit, but it has more than one thread.
 */
const MOST_MADE = 64 * 2 ** 20
/** Smaller results are not counted. */
const LARGE = 4096
/** The rounds of loops between two checks of the time. */
const ROUNDS = 1024

export class Frame {
  /** The cost so far. */
  cost = 0
  /** The variables of loops by place. */
  readonly locals: Value[]
  private made = 0
  private rounds = 0

  /**
   * @param places the most variables of loops that are in scope at once
   * @param isOver reports whether the time for the evaluation is up
   */
  constructor(
    readonly activation: Activation,
    readonly costLimit: number,
    places: number,
    private readonly isOver: (() => boolean) | undefined,
  ) {
    this.locals = places === 0 ? NO_LOCALS : new Array<Value>(places)
  }

  /** Adds a cost. @throws Cancellation above the limit */
  spend(steps: number): void {
    this.cost += steps
    if (this.cost > this.costLimit) throw COST_EXCEEDED
  }

  /** Adds a cost step by step: the first step above the limit counts. @throws Cancellation */
  walk(steps: number): void {
    this.cost += steps
    if (this.cost > this.costLimit) {
      this.cost = this.costLimit + 1
      throw COST_EXCEEDED
    }
  }

  /** Counts the result of a call of constant cost. @throws Cancellation */
  weigh(value: Value): void {
    const size =
      typeof value === 'string' ? value.length : value instanceof ArrayList ? value.size : 0
    if (size < LARGE) return
    this.made += size
    if (this.made > MOST_MADE) throw INTERRUPTED
  }

  /** Starts a round of a loop. @throws Cancellation */
  round(): void {
    if (++this.rounds % ROUNDS === 0 && this.isOver?.()) throw INTERRUPTED
  }
}

const NO_LOCALS: Value[] = []

export type Step = (frame: Frame) => Value
