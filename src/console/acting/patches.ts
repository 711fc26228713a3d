import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  setMember,
} from '../../engine/core/object'

/** RFC 7386; empty if nothing differs. */
export function mergePatchOf(before: JsonObject, after: JsonObject): JsonObject {
  const patch: JsonObject = {}
  for (const name of Object.keys(before)) if (!(name in after)) setMember(patch, name, null)
  for (const [name, value] of Object.entries(after)) {
    const old = before[name]
    if (isJsonObject(value) && isJsonObject(old)) {
      const inner = mergePatchOf(old, value)
      if (Object.keys(inner).length > 0) setMember(patch, name, inner)
    } else if (!equalJson(value, old)) setMember(patch, name, value)
  }
  return patch
}

export const copyOf = <Value extends Json>(value: Value): Value =>
  JSON.parse(JSON.stringify(value)) as Value
