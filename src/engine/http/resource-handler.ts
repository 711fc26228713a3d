/** Requests to resources: from verb and path to the registry and back. */

import { managerName } from '../apply/manager-name'
import type { UserInfo } from '../authentication/authenticator'
import type { Engine } from '../engine'
import { CLIENT_HEADER } from '../names'
import type { KubeObject } from '../object'
import { createObject } from '../registry/create'
import { deleteObject } from '../registry/delete'
import { listObjects, parseRevision, tooLarge } from '../registry/list'
import { keyOf, type RequestContext, targetOf } from '../registry/request-context'
import type { Resource } from '../registry/resource'
import { parseSelection } from '../registry/selection'
import { expectedOf, readObject } from './body'
import { deleteCollection } from './delete-collection'
import { readDeleteOptions } from './delete-options'
import type { ApiRequest, ApiResponse } from './messages'
import {
  CUSTOM_OBJECT,
  CUSTOM_WATCH,
  type Endpoint,
  type Negotiated,
  negotiate,
  notAcceptable,
  OBJECT,
  routeRefusal,
  WATCH,
  wantsPretty,
} from './negotiation'
import { listOptions, type WriteKind, writeOptions } from './options'
import { handlePatch } from './patch-handler'
import { answerAgain, requestIdOf } from './repeated-request'
import type { RequestInfo } from './request-info'
import { type Found, type ResponseContext, respondList, respondObject, respondStatus } from './respond'
import { ApiError, badRequest, failure, methodNotAllowed, noSuchResource, notFound } from './status'
import { handleSubresource, subresourceOf } from './subresource-handler'
import { handleUpdate } from './update-handler'
import { Warnings } from './warnings'
import { handleWatch } from './watch-handler'

/** Everything one request to a resource needs on its way. */
export interface Exchange {
  engine: Engine
  request: ApiRequest
  info: RequestInfo
  user: UserInfo
  resource: Resource
  negotiated: Negotiated
  pretty: boolean
  warnings: Warnings
}

export function userAgentOf(request: ApiRequest): string | undefined {
  return request.header(CLIENT_HEADER) ?? request.header('user-agent')
}

/** @returns undefined if the path is no resource that is served */
export async function handleResource(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
  user: UserInfo,
): Promise<ApiResponse | undefined> {
  const resource = engine.resources.find(info.group, info.version, info.resource)
  const pretty = wantsPretty(info.query.get('pretty'), userAgentOf(request))
  const accept = request.header('accept')
  const warnings = new Warnings()
  let negotiated: Negotiated | undefined
  try {
    if (resource === undefined || !routable(resource, info)) {
      if (resource === undefined && unservedCustomGroup(engine, info)) return undefined
      throw noSuchResource()
    }
    const subresource = subresourceOf(resource, info)
    if (info.subresource !== '' && subresource === undefined) throw noSuchResource()
    const endpoint = endpointOf(resource, info)
    const verbs = subresource?.verbs ?? resource.verbs
    const custom = resource.custom
    if (!verbs.includes(info.verb)) throw refusedVerb(resource, info)
    if (!custom) {
      const refusal = routeRefusal(accept, resource.verbs.includes('watch') && info.name === '' && request.method === 'GET')
      if (refusal) throw refusal
    }
    negotiated = negotiate(accept, endpoint)
    if (negotiated === undefined) throw notAcceptable(endpoint)
    const exchange: Exchange = { engine, request, info, user, resource, negotiated, pretty, warnings }
    for (const text of resource.strategy.deprecation?.(resource.apiVersion) ?? []) warnings.add(text)
    const again = requestIdOf(request, info, user) === undefined ? undefined : await answerAgain(exchange)
    const response = again ?? (subresource ? await handleSubresource(exchange, subresource) : await dispatch(exchange))
    return withWarnings(response, warnings)
  } catch (error) {
    const failed = asApiError(error, engine, request)
    const plain = negotiate(accept, { formats: OBJECT.formats, watch: false, transforms: false })
    return withWarnings(respondStatus(failed, plain, pretty), warnings)
  }
}

/** Anything but an ApiError is a failed assumption of ours: reported, and answered as a 500. */
export function asApiError(error: unknown, engine: Pick<Engine, 'log'>, request: ApiRequest): ApiError {
  if (error instanceof ApiError) return error
  engine.log.error(`${request.method} ${request.target} failed inside the engine`, error)
  return failure(500, 'InternalError', `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`, {
    causes: [{ message: error instanceof Error ? error.message : String(error) }],
  })
}

export function withWarnings(response: ApiResponse, warnings: Warnings): ApiResponse {
  const headers = warnings.headers()
  if (headers.length > 0) response.headers.warning = headers
  return response
}

/** Groups of custom resources answer unknown resources in plain text. */
function unservedCustomGroup(engine: Engine, info: RequestInfo): boolean {
  if (!engine.resources.hasGroup(info.group)) return true
  return engine.resources.isCustomGroup(info.group)
}

/** Whether the path has the shape that the resource's scope asks for. */
function routable(resource: Resource, info: RequestInfo): boolean {
  if (info.parts.length > 3 && info.subresource !== 'proxy') return false
  if (!resource.namespaced) return info.namespace === '' || resource.resource === 'namespaces'
  if (info.namespace !== '') return true
  // Across all namespaces there are only lists and watches; a create is routed and refused later.
  return info.parts.length === 1
}

function refusedVerb(resource: Resource, info: RequestInfo): ApiError {
  if (info.verb === 'watch' && resource.verbs.includes('list')) {
    return failure(405, 'MethodNotAllowed', `watch is not supported on resources of kind "${resource.resource}"`, {
      kind: resource.resource,
      group: resource.group,
    })
  }
  return methodNotAllowed()
}

function endpointOf(resource: Resource, info: RequestInfo): Endpoint {
  if (info.verb === 'watch') return resource.custom ? CUSTOM_WATCH : WATCH
  return resource.custom ? CUSTOM_OBJECT : OBJECT
}

export function registryContext(exchange: Exchange, options: { dryRun: boolean; fieldManager: string }): RequestContext {
  const { engine, info, user, resource, warnings } = exchange
  const requestId = requestIdOf(exchange.request, info, user)
  return {
    ...(requestId === undefined ? {} : { requestId }),
    engine,
    resource,
    subresource: info.subresource,
    namespace: resource.namespaced ? info.namespace : '',
    name: info.name,
    user,
    dryRun: options.dryRun,
    manager: managerName(options.fieldManager || undefined, userAgentOf(exchange.request)),
    warn: (text) => warnings.add(text),
  }
}

export const READ_ONLY = { dryRun: false, fieldManager: '' }

export function respond(exchange: Exchange, code: number, found: Found): ApiResponse {
  return respondObject(responseContext(exchange), code, found)
}

export function responseContext(exchange: Exchange): ResponseContext {
  const { engine, resource, negotiated, pretty, info } = exchange
  return { resource, negotiated, pretty, now: engine.clock.now(), includeObject: info.query.get('includeObject') ?? '' }
}

async function dispatch(exchange: Exchange): Promise<ApiResponse> {
  switch (exchange.info.verb) {
    case 'get':
      return handleGet(exchange)
    case 'list':
      return handleList(exchange)
    case 'watch':
      return handleWatch(exchange)
    case 'create':
      return handleCreate(exchange)
    case 'update':
      return handleUpdate(exchange)
    case 'patch':
      return handlePatch(exchange)
    case 'delete':
      return handleDelete(exchange)
    case 'deletecollection':
      return deleteCollection(exchange)
    default:
      throw methodNotAllowed()
  }
}

async function handleGet(exchange: Exchange): Promise<ApiResponse> {
  const { engine } = exchange
  const context = registryContext(exchange, READ_ONLY)
  checkGetVersion(exchange)
  const stored = await engine.storage.get(keyOf(context))
  if (stored === undefined) throw notFound(targetOf(context), context.name)
  return respond(exchange, 200, stored)
}

/** A get may ask for a state not older than some version. */
function checkGetVersion({ engine, info }: Exchange): void {
  const version = info.query.get('resourceVersion')
  if (!version || version === '0') return
  const wanted = parseRevision(version, false)
  if (wanted > engine.storage.currentRevision()) throw tooLarge(wanted, engine.storage.currentRevision())
}

async function handleList(exchange: Exchange): Promise<ApiResponse> {
  const { info, resource } = exchange
  const raw = listOptions(info.query, false, { watchList: false })
  const context = registryContext(exchange, READ_ONLY)
  const selection = parseSelection(resource, raw.labelSelector, raw.fieldSelector)
  const list = await listObjects(context, { ...raw, selection })
  return respondList(responseContext(exchange), list)
}

export function checkWriteOptions(exchange: Exchange, kind: WriteKind): ReturnType<typeof writeOptions> {
  return writeOptions(exchange.info.query, kind)
}

async function handleCreate(exchange: Exchange): Promise<ApiResponse> {
  const { request, resource, info, warnings } = exchange
  const options = checkWriteOptions(exchange, 'CreateOptions')
  const object = await readObject(request, expectedOf(resource), { level: options.fieldValidation, warn: (text) => warnings.add(text) })
  const context = registryContext(exchange, options)
  matchNamespace(object, info, resource)
  context.name = object.metadata.name ?? ''
  const created = resource.strategy.create ? await resource.strategy.create(object, context) : await createObject(context, object)
  return respond(exchange, 201, created)
}

/** The body may repeat the path's namespace, not contradict it. */
export function matchNamespace(object: KubeObject, info: RequestInfo, resource: Resource): void {
  if (!resource.namespaced) return
  const inBody = object.metadata.namespace ?? ''
  if (inBody !== '' && inBody !== info.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  object.metadata.namespace = info.namespace
}

async function handleDelete(exchange: Exchange): Promise<ApiResponse> {
  const options = await readDeleteOptions(exchange)
  const context = registryContext(exchange, { dryRun: options.dryRun, fieldManager: '' })
  const { result, gone } = await deleteObject(context, options)
  const accepted = !gone && options.orphanDependents === false
  return respond(exchange, accepted ? 202 : 200, result)
}
