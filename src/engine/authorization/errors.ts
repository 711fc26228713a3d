/** Several errors as one text, as the real server joins them: each once, in brackets where there are several (recorded). */
export function aggregated(messages: readonly string[]): string {
  const distinct = [...new Set(messages)]
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`
}
