/** What one evaluation goes on: the values of names, and the steps that are left. */
import { entryOf } from '../../object'
import { ArrayList, type Value } from '../values/value'

/** Values by declared name; a value that is not there yet is asked for when it is needed. */
export interface Activation {
  /** @returns undefined if there is none */
  resolve(name: string): Value | undefined
}

export const activationOf = (values: Readonly<Record<string, Value>>): Activation => ({
  resolve: (name) => entryOf(values, name),
})

/** Thrown when an evaluation has to end; no operator absorbs it. */
export class Cancelled {
  constructor(readonly message: string) {}
}

const COST_EXCEEDED = new Cancelled('operation cancelled: actual cost limit exceeded')
const INTERRUPTED = new Cancelled('operation interrupted')

/**
 * Characters and items that one evaluation may make by calls whose steps are not counted by size. No rule of the language, but
 * of what one thread can bear.
 */
const MOST_MADE = 64 * 2 ** 20
/** What is smaller is not worth to be noted. */
const LARGE = 4096
/** So many rounds of loops are between two looks at the time. */
const ROUNDS = 1024

export class Frame {
  /** Steps taken. */
  cost = 0
  /** Variables of loops, each in its place. */
  readonly locals: Value[]
  private made = 0
  private rounds = 0

  /**
   * @param places how many variables of loops are in sight at once
   * @param isOver whether the time is up for which an answer is waited
   */
  constructor(
    readonly activation: Activation,
    readonly limit: number,
    places: number,
    private readonly isOver: (() => boolean) | undefined,
  ) {
    this.locals = places === 0 ? NO_LOCALS : new Array<Value>(places)
  }

  /** Takes so many steps at once, as for a call. @throws Cancelled */
  spend(steps: number): void {
    this.cost += steps
    if (this.cost > this.limit) throw COST_EXCEEDED
  }

  /** Takes so many steps one by one: the first that is too much ends the evaluation. @throws Cancelled */
  walk(steps: number): void {
    this.cost += steps
    if (this.cost > this.limit) {
      this.cost = this.limit + 1
      throw COST_EXCEEDED
    }
  }

  /** Notes what a call has made whose steps do not tell its size. @throws Cancelled */
  weigh(value: Value): void {
    const size =
      typeof value === 'string' ? value.length : value instanceof ArrayList ? value.size : 0
    if (size < LARGE) return
    this.made += size
    if (this.made > MOST_MADE) throw INTERRUPTED
  }

  /** A round of a loop begins. @throws Cancelled */
  round(): void {
    if (++this.rounds % ROUNDS === 0 && this.isOver?.()) throw INTERRUPTED
  }
}

const NO_LOCALS: Value[] = []

export type Step = (frame: Frame) => Value
