/**
 * * Memoizes a function of immutable objects by identity; entries end with their object.
 * @param compute depends only on the object; errors are not cached
 * @returns shared results
 */
export function memoizeByIdentity<Key extends object, Result extends NonNullable<unknown>>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new WeakMap<Key, Result>()
  return (key) => {
    let result = results.get(key)
    if (result === undefined) {
      result = compute(key)
      results.set(key, result)
    }
    return result
  }
}

/** Memoizes the last result until an argument changes. */
export function memoizeByArguments<Made>(make: () => Made): (of: readonly unknown[]) => Made {
  let last: { of: readonly unknown[]; made: Made } | undefined
  return (of) => {
    if (last === undefined || last.of.some((part, index) => part !== of[index]))
      last = { of, made: make() }
    return last.made
  }
}
