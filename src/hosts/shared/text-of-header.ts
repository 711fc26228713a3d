/**
 * Texts in headers, for those who get a sign for each byte of a header. The server writes UTF-8 (recorded: wire-fieldvalidation,
 * "warn-odd"); Chromium takes its bytes for letters and encodes them once more where a service worker answers.
 */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** What the characters are the UTF-8 of: `grÃ¶Ã\x9fe` -> `größe`; undefined if they are letters themselves. */
function decoded(signs: string): string | undefined {
  if (!/[\x80-\xff]/.test(signs) || /[^\0-\xff]/.test(signs)) return undefined
  try {
    return decoder.decode(Uint8Array.from(signs, (sign) => sign.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** The text that a header's value stands for, however often it was encoded. */
export function textOfHeader(value: string): string {
  const text = decoded(value)
  return text === undefined ? value : textOfHeader(text)
}

/** The value as the server wrote it: encoded once, a sign for each byte. */
export function headerAsWritten(value: string): string {
  const less = decoded(value)
  return less === undefined || decoded(less) === undefined ? value : headerAsWritten(less)
}
