/**
 * Rarely asynchronous: used synchronously if available, so most requests cost no microtasks
 * (docs/decisions/0033-await-and-values-that-rarely-wait.md).
 */

export type MaybePromise<Result> = Result | Promise<Result>

/**
 * Yields, so that concurrent requests run each stage in a batch, which favors CPU caches
 * (docs/measurements.md).
 * @returns undefined for a retry, which would conflict again in a batch
 */
export function stageBarrier({ isRetry }: { isRetry?: boolean } = {}): Promise<void> | undefined {
  return isRetry ? undefined : Promise.resolve()
}

export function chain<Value, Result>(
  value: MaybePromise<Value>,
  run: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(run) : run(value)
}

/** Runs no further items after the first defined result. */
export function findInOrder<Item, Result>(
  items: readonly Item[],
  run: (item: Item, index: number) => MaybePromise<Result | undefined>,
  from = 0,
): MaybePromise<Result | undefined> {
  for (let index = from; index < items.length; index++) {
    const found = run(items[index] as Item, index)
    if (found instanceof Promise)
      return found.then((late) => late ?? findInOrder(items, run, index + 1))
    if (found !== undefined) return found
  }
  return undefined
}

/** Thrown by a synchronous computation that needs a value first. */
export class Pending {
  constructor(readonly settle: () => Promise<void>) {}
}

/**
 * Repeats a computation when the value that it needed is available.
 * @param run has no side effects if it throws `Pending`
 */
export function whenSettled<Result>(run: () => Result): MaybePromise<Result> {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Pending)) throw error
    return error.settle().then(() => whenSettled(run))
  }
}

export function forEachInOrder<Item>(
  items: readonly Item[],
  run: (item: Item) => MaybePromise<void>,
  from = 0,
): MaybePromise<void> {
  for (let index = from; index < items.length; index++) {
    const pending = run(items[index] as Item)
    if (pending) return pending.then(() => forEachInOrder(items, run, index + 1))
  }
}
