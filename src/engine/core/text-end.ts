/**
 * Removes the characters at the end, in linear time. A pattern such as `0+$` would try each run
 * inside the text.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}
