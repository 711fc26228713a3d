/** JSON Merge Patch (RFC 7386). */
import { isJsonObject, type Json, type JsonObject } from '../object'

/** @returns the patched value; what the patch does not touch is shared with the input */
export function applyMergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch
  const result: JsonObject = isJsonObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = applyMergePatch(result[name] ?? null, value)
  }
  return result
}
