/** JSON text as Go's `json.Marshal` writes it. */

const ESCAPED = /[<>&\u2028\u2029]/g

/**
 * Serializes a value for a response, annotation or message: `<`, `>`, `&` and line separators are
 * escaped.
 */
export const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
