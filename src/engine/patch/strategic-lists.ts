/** Merges and orders lists in a strategic merge patch. Recorded from kube-apiserver 1.31. */

import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { serverError } from '../http/status'
import { goFormat } from '../schema/go-text'
import { PATCH, unknownPatchType, withoutDirectives, wrongType } from './directives'

export interface ListKind {
  /** Otherwise the patch's list replaces it. */
  mergesItems: boolean
  /** undefined: items are scalars. */
  mergeKey: string | undefined
  mergeItem(item: JsonObject, patch: JsonObject): JsonObject
}

/** Other items follow the patch's new ones. */
export function mergeLists(current: Json[], patch: Json[], list: ListKind): Json[] {
  return inOrder(merged(current, patch, list), list.mergeKey)
}

function inOrder({ items, order, live }: MergedList, mergeKey: string | undefined): Json[] {
  checkItems(items, mergeKey)
  return items.length < 2 ? items : arranged(items, order, live, mergeKey)
}

/**
 * @param patch undefined: only reorders
 * @throws ApiError 500 if its items contradict the order
 */
export function orderedBy(
  order: Json[],
  current: Json[] | undefined,
  patch: Json[] | undefined,
  list: ListKind,
): Json[] {
  checkOrder(patch ?? [], order, list.mergeKey)
  const kind = kindOfItems([current ?? [], patch ?? []])
  const { items, live } = itemsOf(current, patch, list)
  if (kind === undefined) throw serverError('no elements in any of the given slices')
  // Objects without a merge key are checked for a key with an empty name.
  const mergeKey = list.mergeKey ?? (kind === 'map' || order.some(isJsonObject) ? '' : undefined)
  checkItems(items, mergeKey)
  for (const keys of mergeKey === undefined ? [] : [order, live])
    checkKeys(keys, mergeKey as string)
  return arranged(items, order, live, mergeKey)
}

/** Before reordering. */
function itemsOf(
  current: Json[] | undefined,
  patch: Json[] | undefined,
  list: ListKind,
): { items: Json[]; live: Json[] } {
  const live = current ?? []
  if (patch === undefined) return { items: live, live }
  if (current === undefined) return { items: withoutDirectives(patch) as Json[], live }
  if (!list.mergesItems) return { items: patch, live }
  const both = merged(current, patch, list)
  return { items: inOrder(both, list.mergeKey), live: both.liveWithNew }
}

/** Lists of objects are merged instead. */
export function withoutItems(current: Json[], gone: Json[], list: ListKind): Json[] {
  if (kindOfItems([current, gone]) === 'map') return mergeLists(current, gone, list)
  const leaving = new Set(gone)
  return current.filter((item) => !leaving.has(item))
}

interface MergedList {
  items: Json[]
  order: Json[]
  /** The remaining live list, which orders other items. */
  live: Json[]
  /**
   * kube-apiserver appends new items into the capacity that deleted ones free, so as many count as
   * the end of the live list (recording `reports-d04/replaced-item-among-others`).
   */
  liveWithNew: Json[]
}

function merged(current: Json[], patch: Json[], list: ListKind): MergedList {
  const plain = { order: patch, live: current, liveWithNew: current }
  if (current.length === 0 && patch.length === 0) return { items: current, ...plain }
  if (kindOfItems([current, patch]) !== 'map')
    return { items: [...new Set([...current, ...patch])], ...plain }
  const { mergeKey } = list
  if (mergeKey === undefined) throw serverError('cannot merge lists without merge key for struct')
  const { remaining, items, replaces } = withSpecialItems(
    current as JsonObject[],
    patch as JsonObject[],
    mergeKey,
  )
  if (replaces) return { items, order: [], live: items, liveWithNew: remaining }
  const all = mergeItems(remaining, items, mergeKey, list)
  return {
    items: all,
    order: items,
    live: remaining,
    liveWithNew: remaining.concat(all.slice(remaining.length, current.length)),
  }
}

/** @throws ApiError 500 for items of different types */
function kindOfItems(lists: Json[][]): 'map' | 'scalar' | undefined {
  let kind: string | undefined
  for (const list of lists) {
    for (const item of list) {
      const here =
        item === null
          ? 'null'
          : isJsonObject(item)
            ? 'map'
            : Array.isArray(item)
              ? 'list'
              : typeof item
      if (kind === undefined && here === 'list')
        throw serverError('lists of lists are not supported')
      kind ??= here
      if (kind !== here)
        throw serverError(`list element types are not identical: ${goFormat(lists)}`)
    }
  }
  if (kind === undefined) return undefined
  return kind === 'map' ? 'map' : 'scalar'
}

/** `delete` removes an item; `replace` makes the plain items the list. */
function withSpecialItems(current: JsonObject[], patch: JsonObject[], mergeKey: string) {
  const leaving = new Set<Json>()
  let replaces = false
  const items: JsonObject[] = []
  for (const item of patch) {
    if (!Object.hasOwn(item, PATCH)) items.push(item)
    else if (item[PATCH] === 'replace') replaces = true
    else if (item[PATCH] === 'delete') leaving.add(keyOf(item, mergeKey))
    else if (item[PATCH] === 'merge')
      throw serverError('merging lists cannot yet be specified in the patch')
    else throw unknownPatchType(item)
  }
  const remaining =
    leaving.size === 0 ? current : current.filter((item) => !leaving.has(item[mergeKey] as Json))
  return { remaining, items, replaces }
}

function keyOf(item: JsonObject, mergeKey: string): Json {
  const key = item[mergeKey]
  if (key === undefined)
    throw serverError(`map: ${goFormat(item)} does not contain declared merge key: ${mergeKey}`)
  return key
}

function mergeItems(
  current: JsonObject[],
  patch: JsonObject[],
  mergeKey: string,
  list: ListKind,
): JsonObject[] {
  const result = [...current]
  const places = placesOf(result, mergeKey)
  for (const item of patch) {
    const key = keyOf(item, mergeKey)
    const at = places.get(key)
    if (at === undefined) {
      places.set(key, result.length)
      result.push(item)
    } else result[at] = list.mergeItem(result[at] as JsonObject, item)
  }
  return result
}

/** First index. */
function placesOf(items: readonly Json[], mergeKey: string | undefined): Map<Json, number> {
  const places = new Map<Json, number>()
  for (let index = 0; index < items.length; index++) {
    const key = identityOf(items[index] as Json, mergeKey)
    if (key !== undefined && !places.has(key)) places.set(key, index)
  }
  return places
}

function identityOf(item: Json, mergeKey: string | undefined): Json | undefined {
  if (mergeKey === undefined) return item
  return isJsonObject(item) ? item[mergeKey] : undefined
}

/** Other items are where the live list has them. */
function arranged(
  items: Json[],
  order: Json[],
  live: Json[],
  mergeKey: string | undefined,
): Json[] {
  const wanted = placesOf(order, mergeKey)
  const former = placesOf(live, mergeKey)
  const place = (places: Map<Json, number>, item: Json): number =>
    places.get(identityOf(item, mergeKey) as Json) ?? -1
  const named = items
    .filter((item) => place(wanted, item) >= 0)
    .sort((a, b) => place(wanted, a) - place(wanted, b))
  const others = items
    .filter((item) => place(wanted, item) < 0)
    .sort((a, b) => place(former, a) - place(former, b))
  const result: Json[] = []
  let next = 0
  for (const item of named) {
    const at = place(former, item)
    while (next < others.length && at >= 0 && place(former, others[next] as Json) < at)
      result.push(others[next++] as Json)
    result.push(item)
  }
  return result.concat(others.slice(next))
}

function checkItems(items: Json[], mergeKey: string | undefined): void {
  if (mergeKey === undefined) return
  for (const item of items) keyOf(membersOf(item), mergeKey)
}

function membersOf(item: Json): JsonObject {
  if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item)
  return item
}

function checkKeys(order: Json[], mergeKey: string): void {
  for (const [index, item] of order.entries()) {
    if (!isJsonObject(item)) throw serverError(`value for key ${index} is not a map`)
    keyOf(item, mergeKey)
  }
}

/** Deleted items do not count; other directives must be at the end. */
function checkOrder(patch: Json[], order: Json[], mergeKey: string | undefined): void {
  if (order.length === 0 || patch.length === 0) return
  const directive = (item: Json): Json | undefined =>
    mergeKey === undefined ? undefined : membersOf(item)[PATCH]
  const isWanted = (item: Json, wanted: Json): boolean => {
    if (mergeKey === undefined) return item === wanted
    const named = membersOf(wanted)
    return keyOf(membersOf(item), mergeKey) === keyOf(named, mergeKey)
  }
  const items = patch.filter((item) => directive(item) !== 'delete')
  let next = 0
  for (const wanted of order) {
    while (next < items.length && directive(items[next] as Json) !== undefined) next++
    if (next === items.length) return
    if (isWanted(items[next] as Json, wanted)) next++
  }
  if (next < items.length)
    throw serverError(
      `The order in patch list:\n${goFormat(patch)}\n doesn't match $setElementOrder list:\n${goFormat(order)}\n`,
    )
}
