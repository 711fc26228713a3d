/** Differences for `applied` of src/engine/release-tables/difference.ts. */
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../src/engine/core/object'
import type { Difference } from '../../src/engine/release-tables/difference'

/** Ignores the key order of tables, but not below them. */
export function findTableDifference(before: Json | undefined, after: Json): Difference | undefined {
  if (!isJsonObject(before) || !isJsonObject(after)) return findDifference(before, after)
  const kept = Object.keys(before).filter((name) => Object.hasOwn(after, name))
  const names = new Set([...kept, ...Object.keys(after)])
  return findDifference(
    before,
    Object.fromEntries([...names].map((name) => [name, after[name] as Json])),
  )
}

/** @returns undefined if equal, including the order of members */
export function findDifference(before: Json | undefined, after: Json): Difference | undefined {
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(after)) return undefined
  if (Array.isArray(before) && Array.isArray(after)) return shorter(ofItems(before, after), after)
  if (isJsonObject(before) && isJsonObject(after)) return shorter(ofMembers(before, after), after)
  return { value: after }
}

function shorter(difference: Difference, value: Json): Difference {
  return JSON.stringify(difference).length < JSON.stringify(value).length ? difference : { value }
}

function ofMembers(before: JsonObject, after: JsonObject): Difference {
  const members: Record<string, Difference> = {}
  for (const [name, value] of Object.entries(after)) {
    const difference = findDifference(Object.hasOwn(before, name) ? before[name] : undefined, value)
    if (difference !== undefined) members[name] = difference
  }
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  const order = Object.keys(after)
  const usual = [
    ...Object.keys(before).filter((name) => Object.hasOwn(after, name)),
    ...order.filter((name) => !Object.hasOwn(before, name)),
  ]
  return {
    members,
    ...(gone.length > 0 ? { gone } : {}),
    ...(equalJson(usual, order) ? {} : { order }),
  }
}

/** An item's identity in discovery and object lists. */
function nameOf(item: Json): string {
  if (!isJsonObject(item)) return JSON.stringify(item)
  const metadata = isJsonObject(item.metadata) ? item.metadata : {}
  const object = isJsonObject(item.object) ? item.object : {}
  const inner = isJsonObject(object.metadata) ? object.metadata : {}
  return JSON.stringify([
    item.path,
    item.resource,
    item.subresource,
    item.version,
    metadata.name ?? item.name ?? '',
    metadata.namespace,
    inner.name,
    inner.namespace,
  ])
}

function ofItems(before: readonly Json[], after: readonly Json[]): Difference {
  const places = new Map<string, number[]>()
  before.forEach((item, place) => {
    const name = nameOf(item)
    places.set(name, [...(places.get(name) ?? []), place])
  })
  const items = after.map((item) => {
    const place = places.get(nameOf(item))?.shift()
    if (place === undefined) return { value: item }
    const difference = findDifference(before[place], item)
    return difference === undefined ? place : ([place, difference] as [number, Difference])
  })
  return { items }
}
