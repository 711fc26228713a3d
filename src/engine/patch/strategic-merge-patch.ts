/**
 * Strategic merge patch: a merge patch that knows the type's lists. Lists with a merge key are merged item by item, and
 * directives (`$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`) say the rest (quirks recorded).
 */
import { badRequest, serverError } from '../http/status'
import { equalJson, isJsonObject, type Json, type JsonObject } from '../object'
import { goFormat } from '../schema/go-text'
import type { Field, StructType, TypeNode } from '../schema/model'

const PATCH = '$patch'
const RETAIN_KEYS = '$retainKeys'
const SET_ORDER = '$setElementOrder/'
const DELETE_FROM = '$deleteFromPrimitiveList/'

/** @throws ApiError 400 bad $retainKeys, 500 other malformed directives (as the real server answers them) */
export function applyStrategicMergePatch(target: JsonObject, patch: Json, type: StructType): Json {
  if (patch === null) return target
  if (!isJsonObject(patch))
    throw badRequest(
      `json: cannot unmarshal ${Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch} into Go value of type map[string]interface {}`,
    )
  // A changed kind or apiVersion is ignored (recorded).
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = patch
  return mergeMap(target, rest, type)
}

function fieldOf(type: TypeNode | undefined, name: string): Field | undefined {
  return type?.type === 'struct' ? type.byName.get(name) : undefined
}

function memberType(type: TypeNode | undefined, name: string): TypeNode | undefined {
  if (type?.type === 'map') return type.values
  return fieldOf(type, name)?.type
}

const strategies = (field: Field | undefined): string[] => (field?.patchStrategy ?? '').split(',')

function mergeMap(target: JsonObject, patch: JsonObject, type: TypeNode | undefined): JsonObject {
  const directive = patch[PATCH]
  if (directive === 'replace') return withoutDirectives(patch, type)
  if (directive === 'delete') return {}
  if (directive !== undefined) throw unknownDirective(directive, patch)
  const result = retainKeys({ ...target }, patch)
  applyPrimitiveDeletions(result, patch)
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith('$')) continue
    if (value === null) delete result[name]
    else result[name] = mergeMember(result[name], value, name, patch, type)
  }
  orderUntouchedLists(result, patch, type)
  return result
}

function mergeMember(current: Json | undefined, value: Json, name: string, patch: JsonObject, type: TypeNode | undefined): Json {
  const field = fieldOf(type, name)
  const below = memberType(type, name)
  if (isJsonObject(value)) {
    if (strategies(field).includes('replace')) return withoutDirectives(value, below)
    return mergeMap(isJsonObject(current) ? current : {}, value, below)
  }
  if (!Array.isArray(value)) return value
  if (!strategies(field).includes('merge')) return value.map((item) => stripped(item, below))
  const order = patch[SET_ORDER + name]
  return mergeList(Array.isArray(current) ? current : [], value, field, below, Array.isArray(order) ? order : undefined)
}

/** `$retainKeys`: only the listed members survive; it must list every member that the patch sets. */
function retainKeys(target: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch[RETAIN_KEYS]
  if (keys === undefined) return target
  if (!Array.isArray(keys)) throw badRequest('invalid patch format of retainKeys')
  for (const [name, value] of Object.entries(patch)) {
    if (!name.startsWith('$') && value !== null && !keys.includes(name)) throw badRequest('invalid patch format of retainKeys')
  }
  return Object.fromEntries(Object.entries(target).filter(([name]) => keys.includes(name)))
}

function applyPrimitiveDeletions(target: JsonObject, patch: JsonObject): void {
  for (const [name, value] of Object.entries(patch)) {
    if (!name.startsWith(DELETE_FROM)) continue
    const list = target[name.slice(DELETE_FROM.length)]
    // Anything but a list deletes nothing (recorded).
    if (Array.isArray(list) && Array.isArray(value))
      target[name.slice(DELETE_FROM.length)] = list.filter((item) => !value.some((gone) => equalJson(gone, item)))
  }
}

/** `$setElementOrder` for a list that the patch does not otherwise touch. */
function orderUntouchedLists(result: JsonObject, patch: JsonObject, type: TypeNode | undefined): void {
  for (const [name, order] of Object.entries(patch)) {
    if (!name.startsWith(SET_ORDER)) continue
    const listName = name.slice(SET_ORDER.length)
    const current = result[listName]
    if (patch[listName] !== undefined || !Array.isArray(current) || !Array.isArray(order)) continue
    result[listName] = ordered(current, current, order, fieldOf(type, listName)?.patchMergeKey)
  }
}

function mergeList(
  current: Json[],
  patch: Json[],
  field: Field | undefined,
  type: TypeNode | undefined,
  order: Json[] | undefined,
): Json[] {
  const items = type?.type === 'list' ? type.items : undefined
  const key = field?.patchMergeKey
  if (key === undefined) return mergePrimitives(current, patch, order)
  const objects = patch.map((item) => {
    if (!isJsonObject(item)) throw serverError(`expected all elements in the patch list to be objects`)
    return item
  })
  if (objects.some((item) => item[PATCH] === 'replace')) {
    return objects.filter((item) => item[PATCH] !== 'replace').map((item) => withoutDirectives(item, items))
  }
  let result = [...current]
  const fresh: Json[] = []
  for (const item of objects) {
    const identity = item[key]
    if (identity === undefined) throw serverError(`map: ${goFormat(item)} does not contain declared merge key: ${key}`)
    const directive = item[PATCH]
    if (directive === 'delete') {
      result = result.filter((candidate) => !hasKey(candidate, key, identity))
      continue
    }
    if (directive !== undefined && directive !== 'merge') throw unknownDirective(directive, item)
    if (directive === 'merge') throw serverError('merging lists cannot yet be specified in the patch')
    const at = result.findIndex((candidate) => hasKey(candidate, key, identity))
    if (at < 0) fresh.push(withoutDirectives(item, items))
    else result[at] = mergeMap(result[at] as JsonObject, item, items)
  }
  const merged = order === undefined ? [...fresh, ...result] : [...result, ...fresh]
  return ordered(merged, current, order ?? objects.filter((item) => item[PATCH] === undefined), key, order !== undefined)
}

const hasKey = (candidate: Json, key: string, identity: Json): boolean => isJsonObject(candidate) && equalJson(candidate[key], identity)

function unknownDirective(directive: Json, patch: JsonObject): Error {
  const shown =
    typeof directive === 'string' ? directive : directive === null ? '%!s(<nil>)' : `%!s(${goTypeOf(directive)}=${goFormat(directive)})`
  return serverError(`unknown patch type: ${shown} in map: ${goFormat(patch)}`)
}

function goTypeOf(value: Json): string {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

function mergePrimitives(current: Json[], patch: Json[], order: Json[] | undefined): Json[] {
  const merged = [...current]
  const fresh = patch.filter((item) => !current.some((known) => equalJson(known, item)))
  const all = order === undefined ? [...fresh, ...merged] : [...merged, ...fresh]
  return ordered(dedup(all), current, order ?? patch, undefined, order !== undefined)
}

const dedup = (items: Json[]): Json[] => items.filter((item, index) => items.findIndex((other) => equalJson(other, item)) === index)

/**
 * Items named by the order stand in its order; the others keep their place relative to their neighbours in the live list.
 * Without an order given by the client nothing moves.
 */
function ordered(items: Json[], live: Json[], order: Json[], key: string | undefined, given = true): Json[] {
  if (!given) return items
  const identity = (item: Json): Json => (key !== undefined && isJsonObject(item) ? (item[key] ?? null) : item)
  const position = (item: Json): number => order.findIndex((wanted) => equalJson(identity(wanted), identity(item)))
  const listed = items.filter((item) => position(item) >= 0).sort((a, b) => position(a) - position(b))
  const others = items.filter((item) => position(item) < 0)
  const liveIndex = (item: Json): number => live.findIndex((known) => equalJson(identity(known), identity(item)))
  const result: Json[] = []
  for (let i = 0, j = 0; i < listed.length || j < others.length; ) {
    const left = listed[i]
    const right = others[j]
    if (right === undefined) result.push(listed[i++] as Json)
    else if (left === undefined) result.push(others[j++] as Json)
    else if (liveIndex(left) >= 0 && liveIndex(left) < liveIndex(right)) result.push(listed[i++] as Json)
    else if (liveIndex(left) < 0) result.push(listed[i++] as Json)
    else result.push(others[j++] as Json)
  }
  return result
}

/** A value that only the patch has: its directives say nothing any more and are dropped with what they delete. */
function withoutDirectives(value: JsonObject, type: TypeNode | undefined): JsonObject {
  const result: JsonObject = {}
  for (const [name, member] of Object.entries(value)) {
    if (name === PATCH || name.startsWith(SET_ORDER) || name.startsWith(DELETE_FROM) || member === null) continue
    result[name] = stripped(member, memberType(type, name))
  }
  return result
}

function stripped(value: Json, type: TypeNode | undefined): Json {
  if (isJsonObject(value)) return withoutDirectives(value, type)
  if (!Array.isArray(value)) return value
  const items = type?.type === 'list' ? type.items : undefined
  return value.filter((item) => !(isJsonObject(item) && item[PATCH] === 'delete')).map((item) => stripped(item, items))
}
