import { managerName } from '../apply/manager-name'
import type { UserInfo } from '../authentication/authenticator'
import { MEDIA_TYPE } from '../core/names'
import type { KubeObject } from '../core/object'
import type { Engine } from '../registry/engine'
import { parseRevision } from '../registry/list'
import { type RequestContext, targetOf } from '../registry/request-context'
import type { Resource } from '../registry/resource'
import { isCached } from '../registry/resource'
import { readStored } from '../registry/stored'
import { waitForRevision } from '../registry/wait-for-revision'
import type { StoredObject } from '../storage/storage'
import type { Trace } from '../telemetry/trace'
import type { Strictness } from './body'
import type { ApiRequest, ApiResponse } from './messages'
import { CUSTOM_WATCH, type Negotiated, negotiate, notAcceptable, WATCH } from './negotiation'
import { flag, type WriteKind, type WriteOptions, writeOptions, writtenOptions } from './options'
import type { RequestInfo } from './request-info'
import { type Found, isStored, type ResponseContext, respondObject } from './respond'
import { badRequest, notFound, type Status } from './status'
import type { Warnings } from './warnings'

export interface Exchange {
  engine: Engine
  request: ApiRequest
  /** Of an idempotent write, see repeated-request.ts. */
  requestId: string | undefined
  info: RequestInfo
  user: UserInfo
  trace: Trace
  resource: Resource
  negotiated: Negotiated
  pretty: boolean
  warnings: Warnings
}

export function withWarnings(response: ApiResponse, warnings: Warnings): ApiResponse {
  const headers = warnings.headers()
  if (headers.length > 0) response.headers.warning = headers
  return response
}

/** The backend chooses their media type. */
export const CONNECTIONS: readonly string[] = ['exec', 'attach', 'portforward', 'proxy']

export const ANYTHING: Negotiated = {
  format: 'json',
  contentType: MEDIA_TYPE.json,
  pretty: false,
  transform: undefined,
}

/** @throws ApiError 406 for types that cannot be streamed */
export function streamOf({ request, resource, negotiated }: Exchange): Negotiated {
  const stream = resource.custom ? CUSTOM_WATCH : WATCH
  const streamed = stream.formats.includes(negotiated.format)
    ? negotiate(request.header('accept'), stream)
    : undefined
  if (streamed === undefined) throw notAcceptable(stream)
  return streamed
}

/** @param shown absent: admission sees the options of the query */
export function registryContext(
  exchange: Exchange,
  options: { dryRun: boolean; fieldManager: string },
  shown?: RequestContext['options'],
): RequestContext {
  const { engine, info, user, trace, resource, warnings } = exchange
  trace.dryRun = options.dryRun
  return {
    requestId: exchange.requestId,
    engine,
    resource,
    subresource: info.subresource,
    namespace: resource.namespaced ? info.namespace : '',
    name: info.name,
    user,
    trace,
    dryRun: options.dryRun,
    options: shown ?? ((operation) => writtenOptions(info.query, operation)),
    manager: managerName(options.fieldManager || undefined, trace.userAgent),
    warn: (text) => warnings.add(text),
  }
}

export const READ_ONLY = { dryRun: false, fieldManager: '' }

export function responseContext(exchange: Exchange): ResponseContext {
  const { engine, resource, negotiated, pretty, info } = exchange
  const includeObject = info.query.get('includeObject') ?? ''
  return {
    resource,
    negotiated,
    pretty,
    clock: engine.clock,
    includeObject,
    written: info.verb !== 'get',
  }
}

/** For the page, which shows what follows from the writes of any client. */
export function recordWrite({ trace, info }: Exchange, found: Found): void {
  if (info.verb === 'get' || trace.dryRun) return
  const { metadata, details } = (isStored(found) ? found.object : found) as Partial<
    KubeObject & Status
  >
  const revision = Number(metadata?.resourceVersion)
  if (revision > 0) trace.written = { revision }
  else if (details?.uid !== undefined) trace.written = { deleted: details.uid }
}

export function respond(exchange: Exchange, code: number, found: Found): ApiResponse {
  exchange.trace.enter('encoding')
  recordWrite(exchange, found)
  return respondObject(responseContext(exchange), code, found)
}

/**
 * @throws ApiError 404, 400 for `export`, 504 for a future resourceVersion, 500 for a malformed one
 */
export async function readRequested(exchange: Exchange): Promise<StoredObject> {
  rejectExport(exchange.info)
  const context = registryContext(exchange, READ_ONLY)
  const version = exchange.info.query.get('resourceVersion')
  if (version && version !== '0') await reachGetVersion(exchange, version)
  const reading = readStored(context)
  const stored = reading instanceof Promise ? await reading : reading
  if (stored === undefined) throw notFound(targetOf(context), context.name)
  return stored
}

/** Ignoring it would return a different object. Recorded from kube-apiserver 1.31. */
export function rejectExport({ query }: RequestInfo): void {
  if (flag(query, 'export'))
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported')
}

export function checkWriteOptions(
  exchange: Exchange,
  kind: WriteKind,
): ReturnType<typeof writeOptions> {
  return writeOptions(exchange.info.query, kind)
}

async function reachGetVersion({ engine, resource }: Exchange, version: string): Promise<void> {
  const cached = isCached(resource)
  parseRevision(version, !cached)
  await waitForRevision({ engine }, version, cached)
}

export function strictnessOf(
  { trace, warnings }: Exchange,
  { fieldValidation }: Pick<WriteOptions, 'fieldValidation'>,
): Strictness {
  return { level: fieldValidation, warn: (text) => warnings.add(text), trace }
}

/** @throws ApiError 400 unless the body's namespace is empty or that of the path */
export function matchNamespace(object: KubeObject, info: RequestInfo, resource: Resource): void {
  if (!resource.namespaced) return
  const inBody = object.metadata.namespace ?? ''
  if (inBody !== '' && inBody !== info.namespace)
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  object.metadata.namespace = info.namespace
}
