/**
 * Header values have one character per byte; the server writes UTF-8 (recorded from kube-apiserver
 * 1.31: wire-fieldvalidation, "warn-odd"). Chromium encodes them again if a service worker
 * responds.
 */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** `grÃ¶Ã\x9fe` -> `größe`; undefined for other text. */
function decoded(characters: string): string | undefined {
  if (!/[\x80-\xff]/.test(characters) || /[^\0-\xff]/.test(characters)) return undefined
  try {
    return decoder.decode(Uint8Array.from(characters, (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** However often it was encoded. */
export function textOfHeader(value: string): string {
  const text = decoded(value)
  return text === undefined ? value : textOfHeader(text)
}

/** The value as the server wrote it: one character for each byte. */
export function headerAsWritten(value: string): string {
  const less = decoded(value)
  return less === undefined || decoded(less) === undefined ? value : headerAsWritten(less)
}
