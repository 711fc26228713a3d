/**
 * Returns the text without the characters at its end. A pattern such as `0+$` would begin to match at
 * each run of them inside the text.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}
