/** Merges OpenAPI of aggregated servers (kubernetes.io, "OpenAPI interface definition"). */

import { isJsonObject, type Json, type JsonObject, setMember } from '../core/object'
import { OutboundError } from '../core/outbound'
import { withParameters } from '../encoding/openapi/shared-parameters'
import { textHash } from '../encoding/sha256'
import type { RemoteOpenapi, RemoteVersion, RemoteVersions } from './remote-versions'
import { fetchDocument, OPENAPI_AGGREGATOR, type ServiceClient } from './service-client'

/** Clients wait for a fetch, so a server that hangs delays them at most once in this time. */
const FRESH_MILLISECONDS = 60_000
const LIMIT = {
  seconds: 5,
  late: 'net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
  accept: 'application/json',
  user: OPENAPI_AGGREGATOR,
}

/** Omits a document that cannot be fetched until a later fetch succeeds. */
export async function refreshOpenapi(reach: ServiceClient, remotes: RemoteVersions): Promise<void> {
  const old = [...remotes.all()].filter(
    ({ available, openapi }) =>
      available &&
      (openapi === undefined || openapi.time + FRESH_MILLISECONDS <= reach.clock.now()),
  )
  await Promise.all(
    old.map(async (remote) => {
      remote.openapi = await openapiOf(reach, remote)
      remotes.changed()
    }),
  )
}

async function openapiOf(reach: ServiceClient, remote: RemoteVersion): Promise<RemoteOpenapi> {
  const [v3, v2] = await Promise.all([
    document(reach, remote, '/openapi/v3'),
    document(reach, remote, '/openapi/v2'),
  ])
  return { v3: v3 && hashIn(v3, remote), v2: v2 && partOf(v2, remote), time: reach.clock.now() }
}

async function document(
  reach: ServiceClient,
  remote: RemoteVersion,
  target: string,
): Promise<JsonObject | undefined> {
  try {
    const { status, bytes } = await fetchDocument(reach, remote, target, LIMIT)
    const value = status === 200 ? (JSON.parse(new TextDecoder().decode(bytes)) as Json) : undefined
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof OutboundError || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** `{"paths":{"apis/g/v1":{"serverRelativeURL":"/openapi/v3/apis/g/v1?hash=…"}}}` */
function hashIn({ paths }: JsonObject, { group, version }: RemoteVersion): string | undefined {
  const entry = isJsonObject(paths) ? paths[`apis/${group}/${version}`] : undefined
  const url =
    isJsonObject(entry) && typeof entry.serverRelativeURL === 'string'
      ? entry.serverRelativeURL
      : undefined
  return url === undefined ? undefined : (/[?&]hash=([^&]+)/.exec(url)?.[1] ?? textHash(url))
}

/** The version's paths, with the definitions and parameters that they reference. */
function partOf(
  { paths, definitions, parameters }: JsonObject,
  { group, version }: RemoteVersion,
): RemoteOpenapi['v2'] {
  if (!isJsonObject(paths)) return undefined
  const prefix = `/apis/${group}/${version}/`
  const own = Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith(prefix)))
  const known = isJsonObject(definitions) ? definitions : {}
  const found: JsonObject = {}
  const shared = isJsonObject(parameters) ? parameters : {}
  const referred = Object.fromEntries(
    references(own, PARAMETER).flatMap((name) =>
      shared[name] ? [[name, shared[name]] as const] : [],
    ),
  )
  const visit = (value: Json): void => {
    for (const name of references(value, DEFINITION)) {
      const definition = known[name]
      if (definition === undefined || name in found) continue
      setMember(found, name, definition)
      visit(definition)
    }
  }
  visit(own)
  visit(referred)
  for (const [name, definition] of Object.entries(known))
    if (isOf(definition, group, version) && !(name in found)) {
      setMember(found, name, definition)
      visit(definition)
    }
  return { paths: own, definitions: found, parameters: referred }
}

function isOf(definition: Json, group: string, version: string): boolean {
  const kinds = isJsonObject(definition) ? definition['x-kubernetes-group-version-kind'] : undefined
  return (
    Array.isArray(kinds) &&
    kinds.some((kind) => isJsonObject(kind) && kind.group === group && kind.version === version)
  )
}

const DEFINITION = '#/definitions/'
const PARAMETER = '#/parameters/'

function references(value: Json, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => references(item, place))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([member, inner]) =>
    member === '$ref' && typeof inner === 'string' && inner.startsWith(place)
      ? [inner.slice(place.length)]
      : references(inner, place),
  )
}

/** Renames a definition whose name a different one has. */
export function withRemoteDefinitions(own: JsonObject, remotes: RemoteVersions): JsonObject {
  const paths = { ...(own.paths as JsonObject) }
  const definitions = { ...(own.definitions as JsonObject) }
  const parameters = { ...(own.parameters as JsonObject | undefined) }
  for (const { openapi } of remotes.all()) {
    if (openapi?.v2 === undefined) continue
    const names = new Map<string, string>()
    for (const [name, definition] of Object.entries(openapi.v2.definitions)) {
      const same = JSON.stringify(definitions[name]) === JSON.stringify(definition)
      if (name in definitions && !same) names.set(name, freeName(name, definitions))
    }
    const renamed = (value: Json): Json => withNames(value, names)
    for (const [name, definition] of Object.entries(openapi.v2.definitions))
      setMember(definitions, names.get(name) ?? name, renamed(definition))
    for (const [path, operations] of Object.entries(openapi.v2.paths))
      setMember(paths, path, renamed(operations))
    // Parameter names encode the content, so they never collide.
    for (const [name, parameter] of Object.entries(openapi.v2.parameters))
      parameters[name] ??= renamed(parameter)
  }
  const sorted = (members: JsonObject) =>
    Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))
  const document = { ...own, paths: sorted(paths), definitions: sorted(definitions) }
  return Object.keys(parameters).length === 0
    ? document
    : withParameters(document, sorted(parameters))
}

function freeName(name: string, taken: JsonObject): string {
  for (let number = 2; ; number++) if (!(`${name}_v${number}` in taken)) return `${name}_v${number}`
}

function withNames(value: Json, names: ReadonlyMap<string, string>): Json {
  if (names.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => withNames(item, names))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => {
      if (member !== '$ref' || typeof inner !== 'string' || !inner.startsWith(DEFINITION))
        return [member, withNames(inner, names)]
      const name = inner.slice(DEFINITION.length)
      return [member, `${DEFINITION}${names.get(name) ?? name}`]
    }),
  )
}
