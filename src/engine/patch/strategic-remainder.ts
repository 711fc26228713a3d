/**
 * For errors about misspelled fields: what merging leaves of the patch. Recorded from
 * kube-apiserver 1.31.
 *   { $setElementOrder/containers: [{ name: a }], containers: [{ name: a, imag: x }], replicsa: 2 }
 *   -> { replicsa: 2 }
 */
import { entryOf, isJsonObject, type Json, type JsonObject, setMember } from '../core/object'
import type { TypeNode } from '../schema/model'
import { PATCH, RETAIN_KEYS, SET_ORDER, withoutDirectives } from './directives'
import { fieldOf, hasStrategy, typeOfMember } from './strategic-types'

export function strategicRemainder(
  target: JsonObject,
  patch: Json,
  type: TypeNode | undefined,
): Json {
  return isJsonObject(patch) ? ofObject(target, patch, type) : patch
}

function ofObject(target: JsonObject, patch: JsonObject, type: TypeNode | undefined): JsonObject {
  if (Object.hasOwn(patch, PATCH))
    return patch[PATCH] === 'replace' ? without(patch, [PATCH]) : patch
  const orders = Object.keys(patch).filter((name) => name.startsWith(SET_ORDER))
  const rest = without(patch, [
    RETAIN_KEYS,
    ...orders,
    ...orders.map((name) => name.slice(SET_ORDER.length + 1)),
  ])
  const retained = patch[RETAIN_KEYS]
  for (const name in rest) {
    const current =
      Array.isArray(retained) && !retained.includes(name) ? undefined : entryOf(target, name)
    setMember(rest, name, ofMember(current, rest[name] as Json, name, type))
  }
  return rest
}

function ofMember(
  current: Json | undefined,
  value: Json,
  name: string,
  type: TypeNode | undefined,
): Json {
  const field = fieldOf(type, name)
  if (isJsonObject(value) && isJsonObject(current)) {
    return hasStrategy(field, 'replace')
      ? value
      : ofObject(current, value, typeOfMember(type, field))
  }
  if (Array.isArray(value) && Array.isArray(current)) {
    return hasStrategy(field, 'merge')
      ? ofItems(current, value, field?.patchMergeKey, typeOfMember(type, field))
      : value
  }
  return withoutDirectives(value) ?? value
}

function ofItems(
  current: Json[],
  items: Json[],
  mergeKey: string | undefined,
  type: TypeNode | undefined,
): Json[] {
  if (
    mergeKey === undefined ||
    items.some((item) => isJsonObject(item) && item[PATCH] === 'replace')
  )
    return items
  const itemType = type?.type === 'list' ? type.items : undefined
  return items.map((item) => {
    if (!isJsonObject(item) || Object.hasOwn(item, PATCH)) return item
    const there = current.find((other) => isJsonObject(other) && other[mergeKey] === item[mergeKey])
    return isJsonObject(there) ? ofObject(there, item, itemType) : item
  })
}

function without(members: JsonObject, names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}
