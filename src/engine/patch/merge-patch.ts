/** JSON Merge Patch (RFC 7386). */
import { isJsonObject, type Json, type JsonObject, setMember } from '../core/object'
import { shallowCopy } from '../schema/json-parser'

/**
 * Objects in a list of the patch lose their nulls; null items are kept, as in json-patch. Changes
 * neither argument; the result shares unchanged parts.
 */
export function applyMergePatch(target: Json, patch: Json): Json {
  // Only a list that replaces an object keeps its nulls.
  if (Array.isArray(patch)) return isJsonObject(target) ? patch : patch.map(withoutNulls)
  if (!isJsonObject(patch)) return patch
  const result: JsonObject = isJsonObject(target) ? shallowCopy(target) : {}
  for (const name in patch) {
    const value = patch[name] as Json
    if (value === null) delete result[name]
    else
      setMember(
        result,
        name,
        applyMergePatch(Object.hasOwn(result, name) ? (result[name] as Json) : null, value),
      )
  }
  return result
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  return isJsonObject(value) ? applyMergePatch(null, value) : value
}
