/** Writes out defaults that the new version has otherwise. */
import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from '../core/object'
import { conversionOf } from './conversion'
import { HOSTNAME_KEY } from './conversions/endpoint-slice'
import { objectAt, objectsIn } from './conversions/members'
import { fillNewerDefaults, fillOlderDefaults } from './defaults'
import type { NotableChange } from './notable-change'
import { type Removal, removalOf } from './removals'

export interface Change {
  /** `spec.rules[0].http.paths[0].backend.serviceName` */
  path: string
  before?: Json
  after?: Json
  reason?: NotableChange
  row?: Removal
}

export interface Converted {
  object: KubeObject
  changes: Change[]
  /** One sentence for each decision that the user must make. */
  undecided: string[]
}

export class ConversionError extends Error {}

/**
 * @param object is not changed
 * @param to `networking.k8s.io/v1`
 * @throws ConversionError
 */
export function convertManifest(object: KubeObject, to: string): Converted {
  const { apiVersion: from, kind } = object
  if (from === to) return { object, changes: [], undecided: [] }
  const [source, target] = [conversionOf(from, kind), conversionOf(to, kind)]
  const hubs = [source?.hub ?? parseApiVersion(from), target?.hub ?? parseApiVersion(to)] as const
  if (
    hubs[0].group !== hubs[1].group ||
    hubs[0].version !== hubs[1].version ||
    !isKnown(from, to, kind)
  )
    throw new ConversionError(`${kind} has no way from ${from} to ${to}`)
  const draft = structuredClone({ ...object, metadata: object.metadata ?? {} }) as KubeObject
  fillOlderDefaults(from, draft)
  const hub = source ? source.toHub(draft) : draft
  const converted = structuredClone(target ? target.fromHub(hub) : hub)
  fillNewerDefaults(to, converted)
  for (const rewrite of REWRITES[`${from} ${kind}`] ?? [])
    if (target === undefined) rewrite(converted)
  const result = orderedLike(object, converted)
  const rows = [removalOf(from, kind), removalOf(to, kind)].filter((row) => row !== undefined)
  return {
    object: result,
    changes: differences(object as unknown as JsonObject, result as unknown as JsonObject, '').map(
      (change) => explained(change, rows),
    ),
    undecided: (rows.find((row) => row.removed.includes(from))?.changes ?? []).flatMap(
      ({ undecided }) => undecided?.(result, object) ?? [],
    ),
  }
}

const isKnown = (from: string, to: string, kind: string): boolean =>
  [from, to].some((version) => conversionOf(version, kind) !== undefined)

/** Stored objects may have what the new version rejects from clients. */
const REWRITES: Record<string, ((object: KubeObject) => void)[]> = {
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': [preserveInSchemas],
  'discovery.k8s.io/v1beta1 EndpointSlice': [hostsAsNodes],
}

function preserveInSchemas(object: KubeObject): void {
  const spec = objectAt(object, 'spec')
  if (spec === undefined) return
  const keeps = spec.preserveUnknownFields === true
  if (typeof spec.preserveUnknownFields === 'boolean') delete spec.preserveUnknownFields
  if (!keeps) return
  for (const version of objectsIn(spec.versions)) {
    const validation = objectAt(version, 'schema') ?? {}
    const schema = objectAt(validation, 'openAPIV3Schema') ?? {}
    version.schema = {
      ...validation,
      openAPIV3Schema: { type: 'object', ...schema, 'x-kubernetes-preserve-unknown-fields': true },
    }
  }
}

/** Without a node name, the host name is the node. */
function hostsAsNodes(object: KubeObject): void {
  for (const endpoint of objectsIn((object as unknown as JsonObject).endpoints)) {
    const topology = objectAt(endpoint, 'deprecatedTopology')
    if (topology === undefined || endpoint.nodeName !== undefined) continue
    const { [HOSTNAME_KEY]: host, ...others } = topology
    if (host === undefined) continue
    endpoint.nodeName = host
    if (Object.keys(others).length > 0) endpoint.deprecatedTopology = others
    else delete endpoint.deprecatedTopology
  }
}

/** New members come last; metadata is not added. */
function orderedLike(before: KubeObject, after: KubeObject): KubeObject {
  const members = Object.entries(after).filter(
    ([name]) =>
      name !== 'metadata' ||
      before.metadata !== undefined ||
      Object.keys(after.metadata).length > 0,
  )
  return sorted(
    before as unknown as JsonObject,
    Object.fromEntries(members) as JsonObject,
  ) as unknown as KubeObject
}

function sorted(before: Json | undefined, after: Json): Json {
  if (Array.isArray(after))
    return after.map((item, i) => sorted(Array.isArray(before) ? before[i] : undefined, item))
  if (!isJsonObject(after)) return after
  const old = isJsonObject(before) ? before : {}
  const names = Object.keys(old).filter((name) => after[name] !== undefined)
  const added = Object.keys(after).filter(
    (name) => !names.includes(name) && after[name] !== undefined,
  )
  return Object.fromEntries(
    [...names, ...added].map((name) => [name, sorted(old[name], after[name] as Json)]),
  )
}

/** Names with dots or slashes are in brackets. */
const at = (path: string, name: string): string =>
  /[./]/.test(name) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`

function differences(before: Json | undefined, after: Json | undefined, path: string): Change[] {
  if (equalJson(before, after)) return []
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => differences(before[name], after[name], at(path, name)))
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }).flatMap((_, i) =>
      differences(before[i], after[i], `${path}[${i}]`),
    )
  }
  return [
    {
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  ]
}

function explained(change: Change, rows: Removal[]): Change {
  const place = change.path.replace(/\[\d+\]/g, '[]')
  const isBelow = (inner: string, outer: string) =>
    ['.', '['].some((sign) => inner.startsWith(outer + sign))
  const covers = (member: string) =>
    place === member || isBelow(place, member) || isBelow(member, place)
  const found = rows
    .flatMap((row) =>
      row.changes.flatMap((reason) =>
        reason.members.filter(covers).map((member) => ({ member, reason, row })),
      ),
    )
    .sort((a, b) => b.member.length - a.member.length)[0]
  if (found) return { ...change, reason: found.reason, row: found.row }
  return change.path === 'apiVersion' && rows[0] ? { ...change, row: rows[0] } : change
}
