/** Memoizes pure functions of short texts: names, labels and amounts recur. */

/** Texts that are longer are rarely met twice. */
const MAX_TEXT = 100
/** Entries of one function; above the limit its cache is cleared. */
const MAX_ENTRIES = 2000

/**
 * @param compute depends only on the text; errors are not cached
 * @param longest characters of the longest text that is cached
 * @returns the memoized function; results are shared and must not be changed
 */
export function memoize<Result>(
  compute: (text: string) => Result,
  longest = MAX_TEXT,
  entries = MAX_ENTRIES,
): (text: string) => Result {
  const results = new Map<string, Result>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = compute(text)
    if (text.length > longest) return result
    if (results.size >= entries) results.clear()
    results.set(text, result)
    return result
  }
}
