/**
 * What following a strategic merge patch leaves of it. The real server takes directives out of the patch while it follows them, and
 * shows the rest when the result does not fit the type (recorded).
 */
import { isJsonObject, type Json, type JsonObject } from '../object'
import { setMember } from '../schema/json-parser'
import type { StructType, TypeNode } from '../schema/model'
import { DELETE_FROM, PATCH, RETAIN_KEYS, SET_ORDER } from './directives'

/**
 * @param target what was patched
 * @param patch one that could be followed to its end
 * @returns the patch without what was followed: `$patch: replace`, `$retainKeys`, lists that have an order together with it, and
 * nulls below what the target has not
 */
export function remainsOf(target: JsonObject, patch: Json, type: StructType): Json {
  return isJsonObject(patch) ? remainsOfObject(target, patch, type) : patch
}

function remainsOfObject(target: JsonObject, patch: JsonObject, type: TypeNode | undefined): JsonObject {
  if (Object.hasOwn(patch, PATCH)) return withoutReplace(patch)
  const kept = patch[RETAIN_KEYS]
  const isKept = (name: string): boolean => !Array.isArray(kept) || kept.includes(name)
  const remains: JsonObject = {}
  for (const name in patch) {
    if (name === RETAIN_KEYS || name.startsWith(SET_ORDER) || Object.hasOwn(patch, `${SET_ORDER}/${name}`)) continue
    const current = Object.hasOwn(target, name) && isKept(name) ? target[name] : undefined
    setMember(
      remains,
      name,
      name.startsWith(DELETE_FROM) ? (patch[name] as Json) : remainsOfMember(current, patch[name] as Json, name, type),
    )
  }
  return remains
}

function withoutReplace(patch: JsonObject): JsonObject {
  if (patch[PATCH] !== 'replace') return patch
  const { [PATCH]: _followed, ...rest } = patch
  return rest
}

function remainsOfMember(current: Json | undefined, value: Json, name: string, type: TypeNode | undefined): Json {
  if (current === undefined) return withoutNulls(value)
  const field = type?.type === 'struct' ? type.byName.get(name) : undefined
  if (isJsonObject(value) && isJsonObject(current))
    return field?.patchStrategy?.includes('replace') ? value : remainsOfObject(current, value, field?.type)
  if (!Array.isArray(value) || !Array.isArray(current) || !field?.patchStrategy?.includes('merge')) return value
  const [key, items] = [field.patchMergeKey, field.type.type === 'list' ? field.type.items : undefined]
  if (key === undefined || value.some((item) => isJsonObject(item) && item[PATCH] === 'replace')) return value
  return value.map((item) => {
    if (!isJsonObject(item) || Object.hasOwn(item, PATCH)) return item
    const former = current.find((other) => isJsonObject(other) && other[key] === item[key])
    return isJsonObject(former) ? remainsOfObject(former, item, items) : item
  })
}

/** Nulls that are items of a list stay. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isJsonObject(value)) return value
  const plain: JsonObject = {}
  for (const name in value) if (value[name] !== null) setMember(plain, name, withoutNulls(value[name] as Json))
  return plain
}
