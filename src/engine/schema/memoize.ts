/** Pure functions of short texts, whose answers are kept: names, labels and amounts come again and again. */

/** Texts that are longer are rarely met twice. */
const MAX_TEXT = 100
/** Answers kept by one function; then it begins anew. */
const MAX_ENTRIES = 2000

/**
 * @param compute depends on nothing but the text; what it throws is not kept
 * @returns the same function; its answers are shared and must not be changed
 */
export function memoize<Answer>(compute: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    const answer = compute(text)
    if (text.length > MAX_TEXT) return answer
    if (answers.size >= MAX_ENTRIES) answers.clear()
    answers.set(text, answer)
    return answer
  }
}
