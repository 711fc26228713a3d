/**
 * Client-side apply, as in kubectl: deletes fields that only the last applied manifest has, sets
 * those of the new one, and leaves others alone (kubernetes.io, "Declarative Management of
 * Kubernetes Objects Using Configuration Files"). Lists follow the type's patch strategies.
 */
import { ANNOTATION } from '../engine/core/names'
import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  setMember,
} from '../engine/core/object'
import type { StructType, TypeNode } from '../engine/schema/model'

/** The annotation has sorted keys and a final line break. */
export function withLastApplied(manifest: JsonObject): JsonObject {
  const plain = withoutLastApplied(manifest)
  const metadata = objectOr(plain.metadata)
  return {
    ...plain,
    metadata: {
      ...metadata,
      annotations: {
        ...objectOr(metadata.annotations),
        [ANNOTATION.lastApplied]: configurationText(plain),
      },
    },
  }
}

/** The text of the annotation. */
export const configurationText = (manifest: JsonObject): string =>
  `${JSON.stringify(sorted(manifest))}\n`

/** Without the annotation, but always with annotations. */
export function withoutLastApplied(manifest: JsonObject): JsonObject {
  const metadata = objectOr(manifest.metadata)
  const { [ANNOTATION.lastApplied]: _previous, ...annotations } = objectOr(metadata.annotations)
  return { ...manifest, metadata: { ...metadata, annotations } }
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

export const hasLastApplied = (live: JsonObject): boolean =>
  ANNOTATION.lastApplied in objectOr(objectOr(live.metadata).annotations)

/** Empty if the annotation is missing or invalid. */
export function lastApplied(live: JsonObject): JsonObject {
  const text = objectOr(objectOr(live.metadata).annotations)[ANNOTATION.lastApplied]
  try {
    return objectOr(typeof text === 'string' ? (JSON.parse(text) as Json) : undefined)
  } catch {
    return {}
  }
}

/**
 * The patch from the live object to the modified manifest.
 * @param original the last applied manifest
 * @param type for a strategic merge patch; without it (custom resources) a merge patch
 * @returns an empty object if nothing changes
 */
export function threeWayPatch(
  original: JsonObject,
  modified: JsonObject,
  live: JsonObject,
  type: StructType | undefined,
): JsonObject {
  return patchMembers(original, modified, live, { type, retain: false })
}

interface Shape {
  type: TypeNode | undefined
  /**
   * `retainKeys`: drops members the manifest does not set, since only one alternative is in use.
   */
  retain: boolean
}

function patchMembers(
  original: JsonObject,
  modified: JsonObject,
  live: JsonObject,
  { type, retain }: Shape,
): JsonObject {
  const patch: JsonObject = {}
  for (const [name, value] of Object.entries(modified)) {
    const before = live[name]
    if (before === undefined ? value === null : equalJson(value, before)) continue
    const field = type?.type === 'struct' ? type.byName.get(name) : undefined
    const strategy = (field?.patchStrategy ?? '').split(',')
    const below: Shape = {
      type: field?.type ?? (type?.type === 'map' ? type.values : undefined),
      retain: strategy.includes('retainKeys'),
    }
    if (isJsonObject(value) && isJsonObject(before) && !strategy.includes('replace')) {
      const inner = patchMembers(objectOr(original[name]), value, before, below)
      if (Object.keys(inner).length > 0) setMember(patch, name, inner)
    } else if (Array.isArray(value) && Array.isArray(before) && strategy.includes('merge')) {
      Object.assign(
        patch,
        patchList(
          { original: listOr(original[name]), modified: value, live: before },
          name,
          field?.patchMergeKey,
          below,
        ),
      )
    } else setMember(patch, name, value)
  }
  for (const name of Object.keys(original))
    if (!(name in modified) && name in live) setMember(patch, name, null)
  if (retain && Object.keys(patch).length > 0)
    patch.$retainKeys = Object.keys(modified)
      .filter((name) => modified[name] !== null)
      .sort()
  return patch
}

interface Lists {
  original: Json[]
  modified: Json[]
  live: Json[]
}

function patchList(lists: Lists, name: string, key: string | undefined, below: Shape): JsonObject {
  return key === undefined ? patchPrimitives(lists, name) : patchItems(lists, name, key, below)
}

const holds = (list: readonly Json[], value: Json): boolean =>
  list.some((item) => equalJson(item, value))

/**
 * Scalars, such as finalizers: adds new items, and deletes applied ones that the manifest lacks.
 */
function patchPrimitives({ original, modified, live }: Lists, name: string): JsonObject {
  const added = modified.filter((item) => !holds(live, item))
  const removed = original.filter((item) => !holds(modified, item) && holds(live, item))
  const patch: JsonObject = {}
  if (added.length > 0) setMember(patch, name, added)
  if (removed.length > 0) patch[`$deleteFromPrimitiveList/${name}`] = removed
  if (added.length + removed.length > 0 || movedIn(live, modified))
    patch[`$setElementOrder/${name}`] = modified
  return patch
}

function patchItems(
  { original, modified, live }: Lists,
  name: string,
  key: string,
  below: Shape,
): JsonObject {
  const find = (list: Json[], identity: Json | undefined) =>
    list.filter(isJsonObject).find((item) => equalJson(item[key], identity))
  const items: Shape = {
    type: below.type?.type === 'list' ? below.type.items : undefined,
    retain: below.retain,
  }
  const changed: Json[] = []
  for (const item of modified) {
    const before = isJsonObject(item) ? find(live, item[key]) : undefined
    if (!isJsonObject(item) || before === undefined) changed.push(item)
    else {
      const inner = patchMembers(find(original, item[key]) ?? {}, item, before, items)
      if (Object.keys(inner).length > 0) changed.push({ [key]: item[key] ?? null, ...inner })
    }
  }
  for (const { [key]: identity = null } of original.filter(isJsonObject)) {
    if (find(modified, identity) === undefined && find(live, identity))
      changed.push({ $patch: 'delete', [key]: identity })
  }
  const identities = (list: Json[]): Json[] =>
    list.filter(isJsonObject).map((item) => ({ [key]: item[key] ?? null }))
  const patch: JsonObject = {}
  if (changed.length > 0) setMember(patch, name, changed)
  if (changed.length > 0 || movedIn(identities(live), identities(modified)))
    patch[`$setElementOrder/${name}`] = identities(modified)
  return patch
}

/** Same items in another order. */
function movedIn(live: Json[], wanted: Json[]): boolean {
  return !equalJson(
    live.filter((item) => holds(wanted, item)),
    wanted.filter((item) => holds(live, item)),
  )
}

const objectOr = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const listOr = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
