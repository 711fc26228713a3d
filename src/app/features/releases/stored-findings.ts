/** Uses dry runs on temporary servers of both releases. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../../../engine/core/object'
import { loadTables } from '../../../engine/release-tables/load-tables'
import { tablesOf } from '../../../engine/release-tables/tables'
import { type Release, servedVersions } from '../../../engine/releases'
import { startRehearsal } from '../../../hosts/shared/rehearsal-server'
import { decodedAs } from '../../../hosts/shared/stored-form'
import { withoutDerived } from '../share/derived'

/**
 * `unserved`: no version of the kind is served by default; the object stays stored.
 * `unknown`: the release's types lack the member; reads omit it, and the next write drops it.
 * `gated`: a feature gate is off; stored objects keep the member, new ones lose it.
 * `rejected`: the release would reject a create of the object.
 */
export type Effect = 'unserved' | 'unknown' | 'gated' | 'rejected'

export interface StoredFinding {
  object: KubeObject
  effect: Effect
  /** `spec.containers[0].image`; empty: the whole object. */
  members: string[]
  message?: string
}

export interface FindingsRequest {
  objects: readonly KubeObject[]
  from: Release
  to: Release
}

/** In the order of the objects; none for unchanged objects. */
export async function storedFindings({
  objects,
  from,
  to,
}: FindingsRequest): Promise<StoredFinding[]> {
  await loadTables(from)
  await loadTables(to)
  const definitions = customKinds(objects)
  const [servedBefore, servedAfter] = [from, to].map(
    (release) => new Set(servedVersions(release).map(kindKey)),
  )
  const isServed = (object: KubeObject, served: Set<string> | undefined) =>
    definitions.has(kindKey(object)) || served?.has(kindKey(object)) === true
  const visible = objects.filter((object) => isServed(object, servedBefore))
  const unserved = visible.filter((object) => !isServed(object, servedAfter))
  const left = visible.filter((object) => isServed(object, servedAfter))
  const unknown = new Map(left.map((object) => [object, unknownMembers(object, from, to)]))
  return [
    ...unserved.map((object): StoredFinding => ({ object, effect: 'unserved', members: [] })),
    ...[...unknown].flatMap(([object, members]): StoredFinding[] =>
      members.length === 0 ? [] : [{ object, effect: 'unknown', members }],
    ),
    ...(await creationFindings(withoutDerived(left), from, to, unknown)),
  ]
}

/** Group and kind, because versions of a kind are the same objects. */
function kindKey({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  return `${apiVersion.includes('/') ? apiVersion.split('/')[0] : ''} ${kind}`
}

function customKinds(objects: readonly KubeObject[]): Set<string> {
  return new Set(
    objects.flatMap(({ kind, spec }) => {
      if (kind !== 'CustomResourceDefinition' || !isJsonObject(spec as Json)) return []
      const { group, names } = spec as JsonObject
      return isJsonObject(names) ? [`${String(group)} ${String(names.kind)}`] : []
    }),
  )
}

function unknownMembers(object: KubeObject, from: Release, to: Release): string[] {
  const [before, after] = [from, to].map((release) => {
    const tables = tablesOf(release)
    return tables === undefined ? object : decodedAs(object, tables)
  })
  return before === undefined || after === undefined ? [] : lostMembers(before, after)
}

/** Paths that the later value lacks. A lost parent includes its children; null counts as absent. */
export function lostMembers(before: unknown, after: unknown, path = ''): string[] {
  if (Array.isArray(before)) {
    const items = Array.isArray(after) ? after : []
    return before.flatMap((item, i) => lostMembers(item, items[i], `${path}[${i}]`))
  }
  if (!isJsonObject(before as Json)) return after === undefined && before !== null ? [path] : []
  if (!isJsonObject(after as Json)) return [path]
  const [old, now] = [before as JsonObject, after as JsonObject]
  return Object.entries(old).flatMap(([name, value]) =>
    lostMembers(value, now[name], path === '' ? name : `${path}.${name}`),
  )
}

/** Drops what the server sets. */
function asCreated({ metadata, status: _status, ...rest }: KubeObject): KubeObject {
  const { name, namespace, labels, annotations, finalizers } = metadata
  const kept = Object.entries({ name, namespace, labels, annotations, finalizers })
  return {
    ...rest,
    metadata: Object.fromEntries(kept.filter(([, value]) => value !== undefined)),
  } as KubeObject
}

async function creationFindings(
  objects: readonly KubeObject[],
  from: Release,
  to: Release,
  unknown: ReadonlyMap<KubeObject, readonly string[]>,
): Promise<StoredFinding[]> {
  const manifests = objects.map(asCreated)
  const before = await startRehearsal(from, manifests)
  const after = await startRehearsal(to, manifests)
  const findings: StoredFinding[] = []
  try {
    for (const [i, manifest] of manifests.entries()) {
      const object = objects[i] as KubeObject
      const [then, now] = [await before.create(manifest), await after.create(manifest)]
      if (then.object === undefined) continue
      if (now.object === undefined) {
        findings.push({ object, effect: 'rejected', members: [], message: now.message ?? '' })
        continue
      }
      const known = unknown.get(object) ?? []
      const members = lostMembers(then.object.spec, now.object.spec, 'spec').filter(
        (path) => !known.some((other) => path === other || path.startsWith(`${other}.`)),
      )
      if (members.length > 0) findings.push({ object, effect: 'gated', members })
    }
  } finally {
    await before.close()
    await after.close()
  }
  return findings
}
