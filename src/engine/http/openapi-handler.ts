/** Documents are built on the first request. Recorded from kube-apiserver 1.31. */
import { refreshOpenapi, withRemoteDefinitions } from '../aggregation/openapi'
import { proxyToService } from '../aggregation/proxy'
import type { RemoteVersion } from '../aggregation/remote-versions'
import { OPENAPI_AGGREGATOR } from '../aggregation/service-client'
import { addToGroup } from '../core/lists'
import { MEDIA_TYPE } from '../core/names'
import type { JsonObject } from '../core/object'
import {
  builtinDocuments,
  builtinHash,
  openapiV2,
  openapiV3,
  openapiV3Index,
} from '../encoding/openapi/builtin'
import { type CustomResource, customHash, openapiV3OfCustom } from '../encoding/openapi/custom'
import { encodeOpenapiV2 } from '../encoding/openapi/gnostic-v2'
import { encodeOpenapiV3 } from '../encoding/openapi/gnostic-v3'
import { modelOfRelease } from '../encoding/openapi/release-model'
import { loadWords } from '../encoding/openapi/words'
import { textHash } from '../encoding/sha256'
import type { Engine } from '../registry/engine'
import { escapeHtml } from '../schema/canonical'
import type { ApiRequest, ApiResponse } from './messages'
import type { RequestInfo } from './request-info'
import { serveContent } from './serve-content'

interface Form {
  type: string
  contentType: string
}

const JSON_FORM: Form = { type: MEDIA_TYPE.json, contentType: MEDIA_TYPE.json }
const protobufForms = (version: 'v2' | 'v3'): Form[] =>
  ['@', '.'].map((sign) => ({
    type: `application/com.github.proto-openapi.spec.${version}${sign}v1.0+protobuf`,
    contentType: `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`,
  }))
const V2_FORMS = [JSON_FORM, ...protobufForms('v2')]
const V3_FORMS = [JSON_FORM, ...protobufForms('v3')]
/** /openapi/v2 always lists Accept-Encoding. */
const V2_VARY = ['Accept-Encoding', 'Accept']
const V3_VARY = 'Accept'

export async function openApiResponse(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
): Promise<ApiResponse | undefined> {
  if (engine.remotes.size > 0 && info.path.startsWith('/openapi/v'))
    await refreshOpenapi(engine.reach, engine.remotes)
  if (info.path === '/openapi/v2') return versionTwo(engine, request)
  if (info.path === '/openapi/v3') return versionThreeIndex(engine, request)
  if (info.path.startsWith('/openapi/v3/'))
    return versionThree(engine, request, info, info.path.slice('/openapi/v3/'.length))
  return undefined
}

async function versionTwo(engine: Engine, request: ApiRequest): Promise<ApiResponse> {
  const form = formFor(request, V2_FORMS)
  if (form === undefined) return { status: 406, headers: { vary: V2_VARY } }
  const custom = engine.customResources()
  const { remotes } = engine
  const others = [...remotes.all()].map(({ openapi }) => openapi?.v2)
  const hash = textHash(
    JSON.stringify(engine.groups()) +
      JSON.stringify(custom) +
      JSON.stringify(others) +
      engine.release.git +
      withValues(engine),
  )
  return respond(engine, request, { form, hash, vary: V2_VARY }, async () => {
    const own = openapiV2(
      engine.groups(),
      custom,
      await loadWords(engine.release.name),
      engine.release,
      withValues(engine),
    )
    const document = remotes.size === 0 ? own : withRemoteDefinitions(own, remotes)
    return form === JSON_FORM ? JSON.stringify(document) : encodeOpenapiV2(document)
  })
}

/** Plain text, whatever the client accepts. */
async function versionThreeIndex(engine: Engine, request: ApiRequest): Promise<ApiResponse> {
  const index = `${JSON.stringify(openapiV3Index(documentsOf(engine)))}\n`
  return serveContent(request, {
    type: 'text/plain; charset=utf-8',
    modified: engine.clock.now(),
    body: async () => index,
  })
}

async function versionThree(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
  name: string,
): Promise<ApiResponse> {
  const found = documentsOf(engine).find((document) => document.name === name)
  if (found === undefined) return { status: 404, headers: {} }
  if (found.remote)
    return proxyToService(engine.reach, found.remote, request, OPENAPI_AGGREGATOR, {
      streams: false,
    })
  const form = formFor(request, V3_FORMS)
  // Without a media type in Accept, the response is empty, not a 406.
  if (form === undefined)
    return clausesOf(request).length === 0
      ? { status: 200, headers: {} }
      : { status: 406, headers: { vary: V3_VARY } }
  const requestedHash = info.query.get('hash')
  if (requestedHash && requestedHash !== found.hash) {
    const location = `/openapi/v3/${name}?hash=${found.hash}`
    return {
      status: 301,
      headers: {
        location,
        'content-type': form.contentType,
        etag: `"${found.hash}"`,
        vary: V3_VARY,
      },
    }
  }
  const response = await respond(
    engine,
    request,
    { form, hash: found.hash, vary: V3_VARY },
    async () => {
      const words = await loadWords(engine.release.name)
      const document = found.custom
        ? openapiV3OfCustom(found.custom, words, modelOfRelease(engine.release), engine.tables)
        : (openapiV3(name, words, engine.release, withValues(engine)) as JsonObject)
      return form === JSON_FORM ? escapeHtml(JSON.stringify(document)) : encodeOpenapiV3(document)
    },
  )
  if (requestedHash) Object.assign(response.headers, immutableHeaders(engine.clock.now()))
  return response
}

/** The URL contains the hash. Expires in a year (RFC 9111). */
function immutableHeaders(now: number): Record<string, string> {
  const expires = new Date(now)
  expires.setUTCFullYear(expires.getUTCFullYear() + 1)
  return {
    'cache-control': 'public, immutable',
    expires: expires.toUTCString().replace('GMT', 'UTC'),
  }
}

const withValues = ({ featureGates }: Engine): boolean => featureGates.OpenAPIEnums === true

interface NamedDocument {
  name: string
  hash: string
  /** Absent for built-in groups. */
  custom?: CustomResource[]
  remote?: RemoteVersion
}

function documentsOf(engine: Engine): NamedDocument[] {
  const custom = new Map<string, CustomResource[]>()
  for (const resource of engine.customResources()) {
    const name = `apis/${resource.group}/${resource.version}`
    addToGroup(custom, name, resource)
  }
  const own: NamedDocument[] = [
    ...builtinDocuments(engine.groups(), engine.release).flatMap((name) =>
      custom.has(name)
        ? []
        : [{ name, hash: builtinHash(name, engine.release, withValues(engine)) }],
    ),
    ...[...custom].map(([name, resources]) => ({
      name,
      hash: customHash(resources),
      custom: resources,
    })),
  ]
  const others = remoteDocuments(engine)
  return others.length === 0
    ? own
    : [...own.filter(({ name }) => !others.some((other) => other.name === name)), ...others]
}

function remoteDocuments({ remotes }: Engine): NamedDocument[] {
  return [...remotes.all()].flatMap((remote) => {
    const hash = remote.openapi?.v3
    return hash === undefined
      ? []
      : [{ name: `apis/${remote.group}/${remote.version}`, hash, remote }]
  })
}

const documents = new Map<string, string | Uint8Array>()
const MAX_CACHED = 8

async function cached(
  key: string,
  make: () => Promise<string | Uint8Array>,
): Promise<string | Uint8Array> {
  const known = documents.get(key)
  if (known !== undefined) return known
  const body = await make()
  const [oldest] = documents.keys()
  if (documents.size >= MAX_CACHED && oldest !== undefined) documents.delete(oldest)
  documents.set(key, body)
  return body
}

function respond(
  engine: Engine,
  request: ApiRequest,
  { form, hash, vary }: { form: Form; hash: string; vary: string | string[] },
  make: () => Promise<string | Uint8Array>,
): Promise<ApiResponse> {
  return serveContent(request, {
    type: form.contentType,
    etag: `"${hash}"`,
    modified: firstServed(engine, hash),
    vary,
    body: () => cached(`${form.contentType} ${hash}`, make),
  })
}

/** For Last-Modified. */
function firstServed({ clock, state }: Engine, hash: string): number {
  const time = state.documentTimes.get(hash) ?? clock.now()
  state.documentTimes.set(hash, time)
  return time
}

interface Clause {
  type: string
  quality: number
}

/** Ignores entries without a subtype. */
function clausesOf(request: ApiRequest): Clause[] {
  const clauses = (request.header('accept') || '*/*').split(',').map((clause) => {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { type: type === '*' ? '*/*' : type, quality: quality ? Number(quality.slice(2)) : 1 }
  })
  return clauses.filter(({ type }) => /^[^/]*\/[^/]+$/.test(type))
}

function formFor(request: ApiRequest, forms: Form[]): Form | undefined {
  for (const { type } of clausesOf(request).sort((a, b) => b.quality - a.quality)) {
    const form = forms.find(
      (candidate) => type === candidate.type || type === '*/*' || type === 'application/*',
    )
    if (form) return form
  }
  return undefined
}
