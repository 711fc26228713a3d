/** Work that seldom has to wait: what is there at once is gone on with at once, so that a request that needs nothing costs no turns. */

export type MaybePromise<Result> = Result | Promise<Result>

/**
 * A pause between two parts of the work on a request: requests that arrived together are all through the one before any begins the
 * next. What one request runs through from end to end is more code than a processor's caches hold; side by side, each part of it is
 * fetched once for all of them (docs/measurements.md).
 *
 * @param outrun whoever has lost a race goes straight on, as side by side with the others it would lose again
 * @returns nothing for who goes straight on
 */
export function stageBarrier({ isRetry }: { isRetry?: boolean } = {}): Promise<void> | undefined {
  return isRetry ? undefined : Promise.resolve()
}

/** Goes on with a value when it is there. */
export function chain<Value, Result>(
  value: MaybePromise<Value>,
  run: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(run) : run(value)
}

/** Runs something for each item, one after the other. */
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
