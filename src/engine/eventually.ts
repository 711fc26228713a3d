/** Work that seldom has to wait: what is there at once is gone on with at once, so that a request that needs nothing costs no turns. */

export type Eventually<Result> = Result | Promise<Result>

/** Goes on with a value when it is there. */
export function after<Value, Result>(value: Eventually<Value>, run: (value: Value) => Eventually<Result>): Eventually<Result> {
  return value instanceof Promise ? value.then(run) : run(value)
}

/** Runs something for each item, one after the other. */
export function inTurn<Item>(items: readonly Item[], run: (item: Item) => Eventually<void>, from = 0): Eventually<void> {
  for (let index = from; index < items.length; index++) {
    const pending = run(items[index] as Item)
    if (pending) return pending.then(() => inTurn(items, run, index + 1))
  }
}
