/**
 * Memoizes a pure function of an object that never changes, by the object's identity. The memo ends
 * with the object, and it changes no result: a copy of the object is computed again.
 *
 * @param compute depends only on the object; errors are not cached
 * @returns the memoized function; results are shared
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
