/** JSON Merge Patch (RFC 7386). */
import { isJsonObject, type Json, type JsonObject, setMember } from '../core/object'
import { shallowCopy } from '../schema/json-parser'

/** As in json-patch, lists keep null items. Shares unchanged parts. */
export function applyMergePatch(target: Json, patch: Json): Json {
  // Other lists lose the nulls in their objects.
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
