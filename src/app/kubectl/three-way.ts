/**
 * Client-side apply as kubectl does it: what the last applied manifest had and the new one lacks is deleted, what the new one
 * sets is set, and everything else is left alone. Lists with a merge key are merged item by item.
 */

import { ANNOTATION } from '../../engine/names'
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../engine/object'
import type { Field, StructType, TypeNode } from '../../engine/schema/model'

/** The manifest with itself in its last-applied annotation, as kubectl writes it. */
export function withLastApplied(manifest: JsonObject): JsonObject {
  const metadata = isJsonObject(manifest.metadata) ? manifest.metadata : {}
  const { [ANNOTATION.lastApplied]: _previous, ...annotations } = isJsonObject(metadata.annotations) ? metadata.annotations : {}
  const plain: JsonObject = { ...manifest, metadata: { ...metadata, annotations } }
  return {
    ...manifest,
    metadata: { ...metadata, annotations: { ...annotations, [ANNOTATION.lastApplied]: `${JSON.stringify(sorted(plain))}\n` } },
  }
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] as Json)]),
  )
}

/** What was applied last, read from the live object; empty if nobody applied it. */
export function lastApplied(live: JsonObject): JsonObject {
  const metadata = isJsonObject(live.metadata) ? live.metadata : {}
  const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : {}
  const text = annotations[ANNOTATION.lastApplied]
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : {}
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** A strategic merge patch from the three states. Without a type (custom resources) a merge patch comes out. */
export function threeWayPatch(original: JsonObject, modified: JsonObject, live: JsonObject, type: StructType | undefined): JsonObject {
  return patchMembers(original, modified, live, type)
}

function patchMembers(original: JsonObject, modified: JsonObject, live: JsonObject, type: TypeNode | undefined): JsonObject {
  const patch: JsonObject = {}
  for (const [name, value] of Object.entries(modified)) {
    const before = live[name]
    if (before !== undefined && equalJson(value, before)) continue
    const field = type?.type === 'struct' ? type.byName.get(name) : undefined
    const below = field?.type ?? (type?.type === 'map' ? type.values : undefined)
    if (isJsonObject(value) && isJsonObject(before)) {
      const inner = patchMembers(isJsonObject(original[name]) ? original[name] : {}, value, before, below)
      if (Object.keys(inner).length > 0) patch[name] = inner
    } else if (Array.isArray(value) && Array.isArray(before) && mergesByKey(field)) {
      const previous = Array.isArray(original[name]) ? original[name] : []
      const items = patchItems(previous, value, before, field as Field, below)
      if (items.length === 0) continue
      patch[name] = items
      const key = field?.patchMergeKey as string
      patch[`$setElementOrder/${name}`] = value.filter(isJsonObject).map((item) => ({ [key]: item[key] ?? null }))
    } else patch[name] = value
  }
  for (const name of Object.keys(original)) if (!(name in modified) && name in live) patch[name] = null
  return patch
}

const mergesByKey = (field: Field | undefined): boolean =>
  field?.patchMergeKey !== undefined && (field.patchStrategy ?? '').split(',').includes('merge')

function patchItems(original: Json[], modified: Json[], live: Json[], field: Field, type: TypeNode | undefined): Json[] {
  const key = field.patchMergeKey as string
  const items = type?.type === 'list' ? type.items : undefined
  const find = (list: Json[], identity: Json | undefined) => list.filter(isJsonObject).find((item) => equalJson(item[key], identity))
  const patch: Json[] = []
  for (const item of modified.filter(isJsonObject)) {
    const before = find(live, item[key])
    if (before === undefined) patch.push(item)
    else {
      const inner = patchMembers(find(original, item[key]) ?? {}, item, before, items)
      if (Object.keys(inner).length > 0) patch.push({ [key]: item[key] ?? null, ...inner })
    }
  }
  for (const item of original.filter(isJsonObject)) {
    if (find(modified, item[key]) === undefined && find(live, item[key])) patch.push({ $patch: 'delete', [key]: item[key] ?? null })
  }
  return patch
}
