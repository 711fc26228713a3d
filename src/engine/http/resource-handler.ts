import type { UserInfo } from '../authentication/authenticator'
import { createObject, wipeSystemFields } from '../registry/create'
import { deleteObject } from '../registry/delete'
import type { Engine } from '../registry/engine'
import { listObjects } from '../registry/list'
import { targetOf } from '../registry/request-context'
import type { Resource, Subresource } from '../registry/resource'
import { selectionOf } from '../registry/selection'
import { StorageRejectedError, StorageUnavailableError } from '../storage/storage'
import type { Trace } from '../telemetry/trace'
import { expectedOf, readObject } from './body'
import { componentStatus, componentStatuses } from './component-statuses'
import { deleteCollection } from './delete-collection'
import { deletionContext, readDeleteOptions } from './delete-options'
import { deprecationWarning } from './deprecation'
import {
  ANYTHING,
  CONNECTIONS,
  checkWriteOptions,
  type Exchange,
  matchNamespace,
  READ_ONLY,
  readRequested,
  registryContext,
  rejectExport,
  respond,
  responseContext,
  strictnessOf,
  withWarnings,
} from './exchange'
import { type ApiRequest, type ApiResponse, IncompleteBodyError } from './messages'
import {
  CUSTOM_OBJECT,
  demandedFormat,
  type Endpoint,
  LOG_TYPES,
  type Negotiated,
  negotiate,
  notAcceptable,
  OBJECT,
  OBJECT_TYPES,
  PLAIN,
  ROWLESS_CUSTOM_OBJECT,
  ROWLESS_OBJECT,
  routeRejection,
  WATCHED_TYPES,
  wantsPretty,
} from './negotiation'
import { listOptions } from './options'
import { handlePatch, patchTypeOf, rejectPatchType } from './patch-handler'
import { requestIdOf, runOnce } from './repeated-request'
import type { RequestInfo } from './request-info'
import { isOutOfTime } from './request-timeout'
import { respondList, respondStatus } from './respond'
import { routeOf } from './routing'
import {
  ApiError,
  failure,
  forbidden,
  methodNotAllowed,
  nameMissing,
  noSuchResource,
  serverError,
  storeUnavailable,
} from './status'
import { handleSubresource } from './subresource-handler'
import { rejectUnsafeDelete } from './unsafe-delete'
import { handleUpdate } from './update-handler'
import { Warnings } from './warnings'
import { handleWatch } from './watch-handler'
import { worded } from './wording'

/** @returns undefined for an unserved path */
export async function handleResource(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
  user: UserInfo,
  trace: Trace,
): Promise<ApiResponse | undefined> {
  const { resources } = engine
  const serving = resources.find(info.group, info.version, info.resource)
  trace.resource = serving
  const resource =
    serving ??
    (trace.inside ? resources.findInside(info.group, info.version, info.resource) : undefined)
  const pretty = wantsPretty(info.query.get('pretty'), trace.userAgent)
  const accept = request.header('accept')
  const warnings = new Warnings()
  try {
    const route = resource && routeOf(resource, info, request.method)
    if (route === undefined || (resource?.custom && route.rejection)) {
      trace.resource = undefined
      trace.unserved = true
    }
    if (
      resource === undefined
        ? unservedCustomGroup(engine, info)
        : resource.custom && route === undefined
    )
      return undefined
    if (resource === undefined || route === undefined) throw noSuchResource()
    const { subresource } = route
    if (resource.custom) warnings.add(deprecationWarning(engine, resource))
    if (route.rejection) throw route.rejection
    if (
      info.verb === 'patch' &&
      !isConnection(subresource) &&
      patchTypeOf(request, resource) === undefined
    )
      await rejectPatchType(request, resource)
    if (!resource.custom && !isConnection(subresource)) {
      const rejection = routeRejection(accept, producedBy(request, resource, info))
      if (rejection) throw rejection
    }
    if (!resource.custom) warnings.add(deprecationWarning(engine, resource))
    if (lacksName(info)) throw nameMissing()
    const negotiated = isConnection(subresource)
      ? ANYTHING
      : negotiateEndpoint(accept, resource, subresource)
    // kube-apiserver 1.31 checks this before the query options.
    if (info.verb === 'create' && !isConnection(subresource))
      demandedFormat(request.header('content-type'), resource.custom)
    if (info.verb !== 'get' && info.verb !== 'list')
      trace.fieldValidation = info.query.get('fieldValidation') ?? ''
    const requestId = requestIdOf(request, info, user)
    const layout = { pretty: pretty || negotiated.pretty }
    const exchange: Exchange = {
      engine,
      request,
      requestId,
      info,
      user,
      trace,
      resource,
      negotiated,
      ...layout,
      warnings,
    }
    const response = await (requestId === undefined
      ? carryOut(exchange, subresource)
      : runOnce(exchange, requestId, () => carryOut(exchange, subresource)))
    return withWarnings(response, warnings)
  } catch (error) {
    if (isOutOfTime(error)) throw error
    const failed = asApiError(error, engine, request)
    trace.failure = failed.message
    trace.rejection = failed
    const plain = negotiate(accept, PLAIN)
    return withWarnings(respondStatus(failed, plain, pretty), warnings)
  }
}

function carryOut(exchange: Exchange, subresource: Subresource | undefined): Promise<ApiResponse> {
  return subresource ? handleSubresource(exchange, subresource) : dispatch(exchange)
}

/** Logs any other error, a bug, and makes it a 500. */
export function asApiError(
  error: unknown,
  engine: Pick<Engine, 'log' | 'tables'>,
  request: ApiRequest,
): ApiError {
  if (error instanceof ApiError) return worded(error, engine.tables)
  if (error instanceof IncompleteBodyError) return serverError(error.message)
  if (error instanceof StorageRejectedError) return serverError(error.message)
  if (error instanceof StorageUnavailableError)
    return storeUnavailable(error.message, error.uncertain)
  engine.log.error(`${request.method} ${request.target} failed inside the engine`, error)
  return failure(
    500,
    'InternalError',
    `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`,
    {
      causes: [{ message: error instanceof Error ? error.message : String(error) }],
    },
  )
}

/** These respond in plain text to unknown resources. */
function unservedCustomGroup(engine: Engine, info: RequestInfo): boolean {
  if (info.path.startsWith('/apis') && info.group === '') return true
  if (!engine.resources.hasGroup(info.group)) return true
  return engine.resources.isCustomGroup(info.group)
}

const lacksName = ({ parts, verb }: RequestInfo): boolean =>
  (verb === 'update' || verb === 'patch' || parts.length > 1) && (parts[1] ?? '') === ''

const TERMINATING = 'create not allowed while custom resource definition is terminating'

const notWhileTerminating = ({ group, resource }: Resource): ApiError =>
  failure(405, 'MethodNotAllowed', TERMINATING, { group, kind: resource })

function producedBy(
  { method }: ApiRequest,
  resource: Resource,
  info: RequestInfo,
): readonly string[] {
  if (info.subresource === 'log') return LOG_TYPES
  return resource.verbs.includes('watch') && info.parts.length === 1 && method === 'GET'
    ? WATCHED_TYPES
    : OBJECT_TYPES
}

const isConnection = (subresource: Subresource | undefined): boolean =>
  subresource !== undefined && CONNECTIONS.includes(subresource.name)

/** Recorded from kube-apiserver 1.31. */
const SHOWN_AS_TABLE = ['status', 'scale', 'finalize']
const WITHOUT_ROWS = ['apiregistration.k8s.io/apiservices/status']

function hasRows(
  { group, resource, verbs }: Resource,
  subresource: Subresource | undefined,
): boolean {
  if (subresource === undefined) return verbs.includes('get') || verbs.includes('list')
  return (
    SHOWN_AS_TABLE.includes(subresource.name) &&
    !WITHOUT_ROWS.includes(`${group}/${resource}/${subresource.name}`)
  )
}

/**
 * A watch is negotiated twice: here as a list, and in `streamOf` as a stream.
 * @throws ApiError 406
 */
function negotiateEndpoint(
  accept: string | undefined,
  resource: Resource,
  subresource: Subresource | undefined,
): Negotiated {
  const tables = hasRows(resource, subresource)
  const object: Endpoint = resource.custom
    ? tables
      ? CUSTOM_OBJECT
      : ROWLESS_CUSTOM_OBJECT
    : tables
      ? OBJECT
      : ROWLESS_OBJECT
  const negotiated = negotiate(accept, object)
  if (negotiated === undefined) throw notAcceptable(object)
  return negotiated
}

function dispatch(exchange: Exchange): Promise<ApiResponse> {
  const { engine, info, resource, trace } = exchange
  if (engine.beforeRead.size === 0 || trace.inside || !READING.has(info.verb))
    return dispatched(exchange)
  const kept = engine.beforeRead.get(`${resource.group}/${resource.resource}`)?.(info)
  return kept ? kept.then(() => dispatched(exchange)) : dispatched(exchange)
}

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch'])

function dispatched(exchange: Exchange): Promise<ApiResponse> {
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
  if (isComponentStatus(exchange.resource)) {
    rejectExport(exchange.info)
    return respond(exchange, 200, componentStatus(exchange))
  }
  return respond(exchange, 200, await readRequested(exchange))
}

const isComponentStatus = ({ group, kind }: Resource): boolean =>
  group === '' && kind === 'ComponentStatus'

async function handleList(exchange: Exchange): Promise<ApiResponse> {
  const { info, resource } = exchange
  const raw = listOptions(info.query, false, { watchList: false })
  const context = registryContext(exchange, READ_ONLY)
  const selection = selectionOf(resource, raw.selectors)
  const list = isComponentStatus(resource)
    ? componentStatuses(exchange, selection)
    : await listObjects(context, { ...raw, selection })
  return respondList(responseContext(exchange), list)
}

async function handleCreate(exchange: Exchange): Promise<ApiResponse> {
  const { engine, request, resource, info } = exchange
  const isForbidden = engine.tables.changes.has('TerminatingKindsForbidden')
  if (resource.terminating && !isForbidden) throw notWhileTerminating(resource)
  const options = checkWriteOptions(exchange, 'CreateOptions')
  exchange.trace.enter('decoding')
  const object = await readObject(request, expectedOf(resource), strictnessOf(exchange, options))
  const context = registryContext(exchange, options)
  matchNamespace(object, info, resource)
  context.name = object.metadata.name ?? ''
  if (resource.terminating) throw forbidden(targetOf(context), context.name, TERMINATING)
  wipeSystemFields(object.metadata)
  const created = resource.strategy.create
    ? await resource.strategy.create(object, context)
    : await createObject(context, object)
  return respond(exchange, 201, created)
}

async function handleDelete(exchange: Exchange): Promise<ApiResponse> {
  const options = await readDeleteOptions(exchange)
  const context = deletionContext(exchange, options)
  if (options.isUnsafe) return rejectUnsafeDelete(exchange, context)
  const { result, gone } = await deleteObject(context, options)
  const accepted = !gone && options.orphanDependents === false
  return respond(exchange, accepted ? 202 : 200, result)
}
