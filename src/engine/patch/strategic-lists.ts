/** The lists of a strategic merge patch: merging by key, taking out, and the order of what comes out (recorded). */
import { serverError } from '../http/status'
import { isJsonObject, type Json, type JsonObject } from '../object'
import { goFormat } from '../schema/go-text'
import { PATCH, unknownPatchType, withoutDirectives, wrongType } from './directives'

/** What the type says of a list. */
export interface ListKind {
  /** Its items are merged; otherwise the patch's list replaces it. */
  mergesItems: boolean
  /** The member that tells items apart; undefined: items are scalars. */
  mergeKey: string | undefined
  mergeItem(item: JsonObject, patch: JsonObject): JsonObject
}

/**
 * Merges a list item by item. Items of the patch keep its order; the others keep theirs among them, after items that the patch
 * adds.
 */
export function mergeLists(current: Json[], patch: Json[], list: ListKind): Json[] {
  return inOrder(merged(current, patch, list), list.mergeKey)
}

function inOrder({ items, order, live }: MergedList, mergeKey: string | undefined): Json[] {
  checkItems(items, mergeKey)
  // A single item has no order.
  return items.length < 2 ? items : arranged(items, order, live, mergeKey)
}

/**
 * A list together with the order that the patch wants for it.
 * @param patch undefined: the list only gets another order
 * @throws ApiError 500 the patch's items stand in another order than it wants, or neither list has an item
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
  // Objects that nothing tells apart are looked at for a key without a name.
  const mergeKey = list.mergeKey ?? (kind === 'map' || order.some(isJsonObject) ? '' : undefined)
  checkItems(items, mergeKey)
  for (const keys of mergeKey === undefined ? [] : [order, live])
    checkKeys(keys, mergeKey as string)
  return arranged(items, order, live, mergeKey)
}

/** The merged items before they are put in order, and the live list that says where the other items belong. */
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

/** Takes scalars out of a list; with objects such a list is merged like any other (recorded). */
export function withoutItems(current: Json[], gone: Json[], list: ListKind): Json[] {
  if (kindOfItems([current, gone]) === 'map') return mergeLists(current, gone, list)
  const leaving = new Set(gone)
  return current.filter((item) => !leaving.has(item))
}

interface MergedList {
  items: Json[]
  /** The order of the patch's own items. */
  order: Json[]
  /** The order of the others: what is left of the live list. */
  live: Json[]
  /**
   * The same for `$setElementOrder`. kube-apiserver deletes from the live list in place and appends into the room that this
   * leaves, so that as many new items as there were deletions count as the end of the live list
   * (reports-d04/replaced-item-among-others).
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

/** All items must be of one type. @returns undefined where there is none @throws ApiError 500 */
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

/** Items with `$patch`: one that is deleted goes from the list, one that replaces makes the patch's plain items the whole list. */
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

/** @throws ApiError 500 */
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

/** Where each item first stands, by its key; scalars are their own keys. */
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

/** The items that the order names, in its order, and among them the others where the live list has them. */
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

/** What is told apart by a key has one, in the merged list too. @throws ApiError 500 */
function checkItems(items: Json[], mergeKey: string | undefined): void {
  if (mergeKey === undefined) return
  for (const item of items) keyOf(membersOf(item), mergeKey)
}

/** @throws ApiError 500 */
function membersOf(item: Json): JsonObject {
  if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item)
  return item
}

/** @throws ApiError 500 an item of the order that is no map, or has no key */
function checkKeys(order: Json[], mergeKey: string): void {
  for (const [index, item] of order.entries()) {
    if (!isJsonObject(item)) throw serverError(`value for key ${index} is not a map`)
    keyOf(item, mergeKey)
  }
}

/**
 * The patch's items must stand in the order that the patch wants. Those that it deletes do not count, and those with another
 * directive only behind the end of the order.
 */
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
