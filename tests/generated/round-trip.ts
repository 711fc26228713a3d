/**
 * What must hold of every object that the server takes: it reads back the same in every version and format, writing it back as it
 * was read changes nothing, and nothing of it fell silent on the way.
 */

import { parse as parseYaml } from 'yaml'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../../src/engine/core/object'
import { decodeProtobuf, encodeProtobuf } from '../../src/engine/encoding/protobuf/codec'
import { toYaml } from '../../src/engine/encoding/yaml'
import { DISCOVERY_ALL } from '../../src/engine/generated/discovery'
import { builtinModel } from '../../src/engine/schema/builtin'
import { type ApiServer, createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { jsonObject } from '../support/json-objects'
import { TEST_RELEASE } from '../support/release'
import { type Draw, grown } from './grow'
import { NAMESPACE, type Seed } from './seeds'

const JSON_TYPE = 'application/json'
const YAML = 'application/yaml'
const PROTOBUF = 'application/vnd.kubernetes.protobuf'

/** Whatever could be served is, so that every kind is met. */
const GATES = [
  'ClusterTrustBundle',
  'CoordinatedLeaderElection',
  'DynamicResourceAllocation',
  'MultiCIDRServiceAllocator',
  'VolumeAttributesClass',
]

export interface Tried {
  created: boolean
  /** What broke; undefined if nothing did. */
  problem?: string
}

interface TestResponse {
  status: number
  type: string
  bytes: Uint8Array
  text: string
  warnings: string
}

export class Server {
  private readonly server: ApiServer
  readonly failures: string[] = []

  constructor() {
    this.server = createApiServer({
      release: TEST_RELEASE,
      clock: new SimulatedClock(),
      random: seededRandom(1),
      log: {
        error: (message, cause) =>
          this.failures.push(`${message}: ${cause instanceof Error ? cause.stack : String(cause)}`),
      },
      storage: createMemoryStorage(),
      tokens: 'admin-token,admin,,"system:masters"\n',
      runtimeConfig: { 'api/all': 'true' },
      featureGates: Object.fromEntries(GATES.map((gate) => [gate, true])),
      disableAdmissionPlugins: ['ServiceAccount', 'LimitRanger', 'ResourceQuota', 'Priority'],
    })
  }

  async start(): Promise<this> {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }
    await this.sendRequest('POST', '/api/v1/namespaces', { body: JSON.stringify(namespace) })
    return this
  }

  async sendRequest(
    method: string,
    path: string,
    {
      body,
      type = JSON_TYPE,
      accept = JSON_TYPE,
    }: { body?: string | Uint8Array; type?: string; accept?: string } = {},
  ): Promise<TestResponse> {
    const headers = { authorization: 'Bearer admin-token', 'content-type': type, accept }
    const init =
      body === undefined ? { method, headers } : { method, headers, body: body as BodyInit }
    const response = await this.server.fetch(new Request(`http://127.0.0.1${path}`, init))
    const bytes = new Uint8Array(await response.arrayBuffer())
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      bytes,
      text: new TextDecoder().decode(bytes),
      warnings: response.headers.get('warning') ?? '',
    }
  }
}

const REPAIRS = 12

/** Grows a seed, creates it, mended until the server takes it, and holds it against the rules. */
export async function tryOne(
  server: Server,
  { collection, object }: Seed,
  draw: Draw,
  chance: number,
  name: string,
): Promise<Tried> {
  const type = builtinModel().byKind(...groupVersionOf(object), String(object.kind))
  if (type === undefined) return { created: false }
  const given =
    isJsonObject(object.metadata) && typeof object.metadata.name === 'string'
      ? object.metadata.name
      : name
  let wanted = grown(type, object, draw, chance)
  wanted = { ...wanted, metadata: { ...(wanted.metadata as JsonObject), name: given } }
  for (let attempt = 0; attempt < REPAIRS; attempt++) {
    const result = await server.sendRequest('POST', collection, {
      body: JSON.stringify(inOrder(wanted)),
    })
    if (server.failures.length > 0)
      return {
        created: false,
        problem: `${server.failures.splice(0).join('\n')}\n${JSON.stringify(wanted)}`,
      }
    if (result.status === 201) {
      const problem = await evaluate(
        server,
        collection,
        given,
        wanted,
        JSON.parse(result.text),
        result.warnings,
      )
      await server.sendRequest('PATCH', `${collection}/${encodeURIComponent(given)}`, {
        body: '{"metadata":{"finalizers":null}}',
        type: 'application/merge-patch+json',
      })
      await server.sendRequest(
        'DELETE',
        `${collection}/${encodeURIComponent(given)}?gracePeriodSeconds=0`,
      )
      await server.sendRequest('PATCH', `${collection}/${encodeURIComponent(given)}`, {
        body: '{"metadata":{"finalizers":null}}',
        type: 'application/merge-patch+json',
      })
      return problem === undefined
        ? { created: true }
        : { created: true, problem: `${problem}\n${collection}\n${JSON.stringify(wanted)}` }
    }
    if (result.status === 500)
      return {
        created: false,
        problem: `500: ${result.text}\n${collection}\n${JSON.stringify(wanted)}`,
      }
    const mended = mend(wanted, object, result)
    if (mended === undefined) return { created: false }
    wanted = mended
  }
  return { created: false }
}

/** Named like the YAML parser: the data of a revision keeps every byte and its order. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isJsonObject(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name] as Json)]))
}

function groupVersionOf({ apiVersion }: JsonObject): [group: string, version: string] {
  const parts = String(apiVersion).split('/')
  return parts.length === 2 ? [parts[0] as string, parts[1] as string] : ['', parts[0] as string]
}

/** Without the members that were complained about, those of the seed back in their place. */
function mend(
  wanted: JsonObject,
  seed: JsonObject,
  { status, text }: TestResponse,
): JsonObject | undefined {
  if (status !== 422) return undefined
  const { details } = JSON.parse(text) as { details?: { causes?: { field?: string }[] } }
  let mended = wanted
  for (const { field = '' } of details?.causes ?? []) {
    const [top = ''] = field.split(/[.[]/)
    const path = (field.match(/[^.[\]]+/g) ?? []).filter((part) => part !== '')
    mended = without(mended, seed, path.length > 0 ? path : [top])
  }
  return equalJson(mended, wanted) ? undefined : mended
}

/** The value at the path is the seed's, or gone; if there is none at the path, that above it. */
function without(value: JsonObject, seed: Json | undefined, path: string[]): JsonObject {
  const [member = '', ...rest] = path
  const inner = value[member]
  const original = isJsonObject(seed) ? seed[member] : undefined
  if (
    rest.length > 0 &&
    isJsonObject(inner) &&
    rest[0] !== undefined &&
    (inner[rest[0]] !== undefined || rest.length > 1)
  ) {
    const next = without(inner, original, rest)
    if (!equalJson(next, inner)) return { ...value, [member]: next }
  }
  const copy = { ...value }
  if (original === undefined) delete copy[member]
  else copy[member] = original
  return copy
}

async function evaluate(
  server: Server,
  collection: string,
  name: string,
  given: JsonObject,
  created: KubeObject,
  warnings: string,
): Promise<string | undefined> {
  const path = `${collection}/${encodeURIComponent(name)}`
  const lost = lostOf(given, jsonObject(created), '', kindOf(given))
  if (lost !== undefined && !warnings.includes('unknown field'))
    return `lost: ${lost} in ${JSON.stringify(created)}`
  const read = await server.sendRequest('GET', path)
  if (read.status !== 200) return `GET ${path}: ${read.text}`
  const object = JSON.parse(read.text) as JsonObject
  for (const [accept, decode] of FORMATS) {
    const other = await server.sendRequest('GET', path, { accept })
    if (!equalJson(decode(other), accept === PROTOBUF ? withoutInnerKinds(object) : object))
      return `as ${accept}: ${JSON.stringify(decode(other))} is not ${read.text}`
  }
  for (const version of otherVersions(collection)) {
    const other = await server.sendRequest('GET', path.replace(collection, version))
    if (other.status !== 200) return `in ${version}: ${other.text}`
    const through = await server.sendRequest('PUT', path.replace(collection, version), {
      body: other.text,
    })
    if (through.status >= 300) return `written back in ${version}: ${through.text}`
  }
  const settled = FILLED_ON_READING.test(collection) ? await settle(server, path) : undefined
  if (settled !== undefined) return settled
  const current = (await server.sendRequest('GET', path)).text
  for (const [type, body] of [
    [JSON_TYPE, current],
    [YAML, toYaml(JSON.parse(current))],
    [PROTOBUF, encodeProtobuf(JSON.parse(current))],
  ] as const) {
    const written = await server.sendRequest('PUT', path, { body, type })
    if (written.status !== 200) return `PUT unchanged as ${type}: ${written.text}`
    if (written.text !== current)
      return `PUT unchanged as ${type} changed ${current} to ${written.text}`
  }
  return server.failures.length > 0 ? server.failures.splice(0).join('\n') : undefined
}

/** The first write of these stores what reading had added to them: it is one, though nothing but the version changes. */
const FILLED_ON_READING = /\/(?:jobs|persistentvolumeclaims)$/

async function settle(server: Server, path: string): Promise<string | undefined> {
  const before = await server.sendRequest('GET', path)
  const written = await server.sendRequest('PUT', path, { body: before.text })
  const withoutVersion = ({ text }: TestResponse): string =>
    text.replace(/"resourceVersion":"\d+"/, '')
  if (withoutVersion(written) !== withoutVersion(before))
    return `the first PUT changed ${before.text} to ${written.text}`
  return undefined
}

/** Protobuf encodes the kind of the root only: volume claim templates lose theirs. */
function withoutInnerKinds(object: JsonObject): JsonObject {
  const { spec } = object
  if (!isJsonObject(spec) || !Array.isArray(spec.volumeClaimTemplates)) return object
  const templates = spec.volumeClaimTemplates.map((template) => {
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = template as JsonObject
    return rest
  })
  return { ...object, spec: { ...spec, volumeClaimTemplates: templates } }
}

const FORMATS: [accept: string, decode: (result: TestResponse) => Json][] = [
  [YAML, ({ text }) => parseYaml(text) as Json],
  [PROTOBUF, ({ bytes }) => jsonObject(decodeProtobuf(bytes).object)],
]

/** The same resource in the group's other versions. */
function otherVersions(collection: string): string[] {
  const [, group = '', version = '', rest = ''] =
    /^\/apis\/([^/]+)\/([^/]+)(\/.*)$/.exec(collection) ?? []
  const resource = rest.split('/').at(-1)
  const versions = DISCOVERY_ALL.find(({ metadata }) => metadata.name === group)?.versions ?? []
  return versions
    .filter(
      (other) =>
        other.version !== version && other.resources.some((one) => one.resource === resource),
    )
    .map((other) => `/apis/${group}/${other.version}${rest}`)
}

/** Services without an address of their own, for which other rules hold, have a name of their own here. */
function kindOf({ kind, spec }: JsonObject): string {
  return kind === 'Service' && isJsonObject(spec) && spec.type === 'ExternalName'
    ? 'ExternalService'
    : String(kind)
}

/** The first member that was given and is neither there nor empty, by its path. */
function lostOf(
  given: Json,
  kept: Json | undefined,
  path: string,
  kind: string,
): string | undefined {
  if (isEmpty(given) || DROPPED.some((pattern) => pattern.test(`${kind}${path}`))) return undefined
  if (kept === undefined || kept === null) return path
  if (isJsonObject(given) && isJsonObject(kept)) {
    for (const [name, value] of Object.entries(given)) {
      const lost = lostOf(value, kept[name], `${path}.${name}`, kind)
      if (lost !== undefined) return lost
    }
  }
  if (Array.isArray(given) && Array.isArray(kept)) {
    if (kept.length < given.length) return `${path}[${kept.length}]`
    for (const [i, item] of given.entries()) {
      const lost = lostOf(item, kept[i], `${path}[${i}]`, kind)
      if (lost !== undefined) return lost
    }
  }
  return undefined
}

function isEmpty(value: Json): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false
  if (value === null) return true
  return Object.values(value).every((inner) => isEmpty(inner as Json))
}

/** Fields that kube-apiserver drops: fields it sets itself, and fields of disabled features. */
const DROPPED: RegExp[] = [
  /\.status$/,
  /\.metadata\./,
  /^Secret\.stringData/,
  /^ServiceAccount\.secrets\[\d+\]\./,
  /^CertificateSigningRequest\.spec\.(?:username|uid|groups|extra)/,
  /^PersistentVolumeClaim\.spec\.(?:dataSource|dataSourceRef)/,
  /^(?:External)?Service\.spec\.sessionAffinityConfig/,
  /^ExternalService\.spec\.internalTrafficPolicy/,
  /^Node\.spec\.(?:configSource|podCIDRs)/,
  /^EndpointSlice\.endpoints\[\d+\]\.deprecatedTopology/,
  /^StatefulSet\.spec\.updateStrategy\.rollingUpdate\.maxUnavailable/,
  /^DeviceClass\.spec\.suitableNodes/,
  /^ResourceClaim(?:Template\.spec)?\.spec\.controller$/,
  // Feature gates that are off and not obeyed.
  /\.(?:hostUsers|supplementalGroupsPolicy|resizePolicy|procMount|managedBy)$/,
  /\.volumes(?:\[\d+\])?$/,
  /\.clusterTrustBundle$/,
]
