import { isJsonObject, type Json } from '../core/object'

const ESCAPED = /[<>&\u2028\u2029]/g

/** As Go's `json.Marshal`: escapes `<`, `>`, `&` and line separators. */
export const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The same with sorted members, as Go writes maps. */
export function goJsonSorted(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goJsonSorted).join(',')}]`
  if (!isJsonObject(value)) return goJson(value)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${goJson(name)}:${goJsonSorted(value[name] as Json)}`).join(',')}}`
}
