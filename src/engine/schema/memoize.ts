const MAX_TEXT = 100
const MAX_ENTRIES = 2000

/**
 * For short texts that recur (names, labels, amounts).
 * @param compute depends only on the text; errors are not cached
 * @param longest cached text
 * @returns shared results, which must not be changed
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
