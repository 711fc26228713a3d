import { entryOf } from '../../core/object'
import { Cancellation, CostLimit } from '../cost/limit'
import { ArrayList, type Value } from '../values/value'

/** Computes values when needed. */
export interface Activation {
  resolve(name: string): Value | undefined
  /** JSON that kube-apiserver does not convert beforehand. */
  isNative?(name: string): boolean
}

export const activationOf = (values: Readonly<Record<string, Value>>): Activation => ({
  resolve: (name) => entryOf(values, name),
})

const INTERRUPTED = new Cancellation('operation interrupted')

/**
 * The characters and items that calls of constant cost may make in one evaluation. kube-apiserver
 * has no such limit, but several threads.
 */
const MOST_MADE = 64 * 2 ** 20
const LARGE = 4096
/** Between two checks of the time. */
const ROUNDS = 1024

export class Frame extends CostLimit {
  readonly locals: Value[]
  private made = 0
  private rounds = 0

  /** @param places maximum number of loop variables in scope */
  constructor(
    readonly activation: Activation,
    costLimit: number,
    places: number,
    private readonly isOver: (() => boolean) | undefined,
  ) {
    super(costLimit)
    this.locals = places === 0 ? NO_LOCALS : new Array<Value>(places)
  }

  /** @throws Cancellation */
  weigh(value: Value): void {
    const size =
      typeof value === 'string' ? value.length : value instanceof ArrayList ? value.size : 0
    if (size < LARGE) return
    this.made += size
    if (this.made > MOST_MADE) throw INTERRUPTED
  }

  /** @throws Cancellation */
  round(): void {
    if (++this.rounds % ROUNDS === 0 && this.isOver?.()) throw INTERRUPTED
  }
}

const NO_LOCALS: Value[] = []

export type Step = (frame: Frame) => Value
