/**
 * The stages that each request passes. See k8s.io/apiserver, server/config.go,
 * `DefaultBuildHandlerChain`.
 */
import { proxyToService } from '../aggregation/proxy'
import type { Authentication, Authenticator, UserInfo } from '../authentication/authenticator'
import { ImpersonationError, isImpersonated } from '../authentication/impersonation'
import { stageBarrier } from '../core/maybe-promise'
import type { Flow } from '../flow-control/flows'
import { AuthorizationError, attributesOf, authorizeRequest } from '../http/authorize'
import { impersonate } from '../http/impersonate'
import type { ApiRequest, ApiResponse } from '../http/messages'
import { negotiate, PLAIN, wantsPretty } from '../http/negotiation'
import { handleNonResource } from '../http/non-resource'
import { queryOf } from '../http/query'
import { type RequestInfo, RequestInfoError, requestInfo } from '../http/request-info'
import { isOutOfTime, timedOut, timeLimitOf } from '../http/request-timeout'
import { asApiError, handleResource } from '../http/resource-handler'
import { internalServerError, plainText, respondStatus } from '../http/respond'
import { badRequest, unauthorized } from '../http/status'
import { Warnings } from '../http/warnings'
import type { Engine } from '../registry/engine'
import type { Observation, Observer } from '../telemetry/observer'
import type { Trace } from '../telemetry/trace'
import type { Readiness } from './readiness'

export interface PipelineDependencies {
  engine: Engine
  observer: Observer
  readiness: Readiness
}

/** Never rejects. Async functions cost time, so only this one awaits. */
export async function handleRequest(
  { engine, observer, readiness }: PipelineDependencies,
  observation: Observation,
  identify: Authenticator,
): Promise<ApiResponse> {
  const { request, trace } = observation
  const warnings: string[] = []
  let flow: Flow | undefined
  let response: ApiResponse
  try {
    const pending = readiness.pending()
    if (pending) await executingAfter(pending, trace)
    const info = requestInfo(request.method, request.target)
    trace.attributes = info
    inTime(engine, observer, observation, info)
    if (engine.storage.readBarrier && needsReadBarrier(info))
      await executingAfter(engine.storage.readBarrier(trace.timeLeft()), trace)
    trace.enter('authentication')
    const credential = identify.authenticate(request, {
      audiences: engine.audiences,
      annotations: trace.annotations,
      warnings,
    })
    const authenticatedUser = recognized(
      observer,
      observation,
      info,
      credential instanceof Promise ? await authenticated(credential, trace) : credential,
    )
    trace.enter('authorization')
    const impersonated = isImpersonated(request)
      ? await impersonate(engine, request, info, authenticatedUser, trace)
      : undefined
    if (impersonated !== undefined) trace.impersonated = impersonated
    const user = impersonated ?? authenticatedUser
    const sorting = engine.flows.flowOf(info, user)
    flow = sorting instanceof Promise ? await executingAfter(sorting, trace) : sorting
    if (flow !== undefined) dispatched(flow, trace)
    const authorizing = authorizeRequest(engine, attributesOf(engine, info, user), trace)
    if (authorizing) await authorizing
    trace.enter('routing')
    await stageBarrier()
    response = (await routed(engine, request, info, user, trace)) ?? plainText(404, NOT_FOUND)
  } catch (error) {
    response = failed(engine, error, observation)
  }
  trace.took = trace.elapsed()
  if (flow !== undefined) setFlowHeaders(flow, response, trace)
  return observer.responded(
    observation,
    warnings.length === 0 ? response : withWarningsBefore(response, warnings),
  )
}

async function authenticated(
  credential: Promise<Authentication>,
  trace: Trace,
): Promise<Authentication> {
  const begun = trace.elapsed()
  const authentication = await executingAfter(credential, trace)
  trace.waiting().authentication = trace.elapsed() - begun
  return authentication
}

async function executingAfter<Value>(wait: Promise<Value>, trace: Trace): Promise<Value> {
  const value = await wait
  trace.waiting().execution = trace.elapsed()
  return value
}

function dispatched({ tally }: Flow, trace: Trace): void {
  tally.dispatched++
  tally.executing++
  trace.flow = tally
  tally.load.enter(trace)
}

/** Only administrators may see names, so responses have uids. */
function setFlowHeaders(
  { tally, schemaUid, levelUid }: Flow,
  { headers }: ApiResponse,
  trace: Trace,
): void {
  tally.executing--
  tally.load.leave(trace)
  headers['x-kubernetes-pf-flowschema-uid'] = schemaUid
  headers['x-kubernetes-pf-prioritylevel-uid'] = levelUid
}

const NOT_FOUND = '404 page not found\n'

/** @throws ApiError 400 */
function inTime(
  { timeLimits }: Engine,
  observer: Observer,
  observation: Observation,
  info: RequestInfo,
): void {
  try {
    observation.trace.timeLimit = timeLimitOf(info, timeLimits.request)
  } catch (error) {
    observer.unrecognized(observation, info)
    throw error
  }
}

/** @throws ApiError 401 */
function recognized(
  observer: Observer,
  observation: Observation,
  info: RequestInfo,
  authentication: Authentication,
): UserInfo {
  if (authentication === undefined || 'errors' in authentication) {
    observation.trace.authentication = authentication === undefined ? 'failure' : 'error'
    observer.unrecognized(observation, info)
    throw unauthorized()
  }
  observer.identified(observation, info, authentication.user)
  return authentication.user
}

function routed(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
  user: UserInfo,
  trace: Trace,
): Promise<ApiResponse | undefined> | ApiResponse | undefined {
  if (info.path.startsWith('//')) return undefined
  const remote = engine.remotes.ofPath(info.path)
  if (remote !== undefined)
    return proxyToService(engine.reach, remote, request, user, { streams: isStreamed(info), trace })
  return info.isResource
    ? handleResource(engine, request, info, user, trace)
    : handleNonResource(engine, request, info, user)
}

function failed(engine: Engine, error: unknown, { request, trace }: Observation): ApiResponse {
  const isBadRequest =
    error instanceof ImpersonationError &&
    engine.tables.changes.has('ImpersonationWithoutUserIsBadRequest')
  if (
    error instanceof RequestInfoError ||
    (error instanceof ImpersonationError && !isBadRequest) ||
    error instanceof AuthorizationError
  ) {
    trace.failure = error.message
    return internalServerError(trace.target, error.message)
  }
  if (isOutOfTime(error)) {
    trace.failure = (error as Error).message
    trace.terminatedBy = 'apiserver'
    return timedOut()
  }
  const rejection = asApiError(isBadRequest ? badRequest(error.message) : error, engine, request)
  trace.failure = rejection.message
  trace.rejection = rejection
  const negotiated = negotiate(request.header('accept'), PLAIN)
  return respondStatus(
    rejection,
    negotiated,
    wantsPretty(queryOf(request.target).get('pretty'), trace.userAgent),
  )
}

function withWarningsBefore(response: ApiResponse, texts: readonly string[]): ApiResponse {
  const warnings = new Warnings()
  for (const text of texts) warnings.add(text)
  response.headers.warning = [...warnings.headers(), ...[response.headers.warning ?? []].flat()]
  return response
}

/** These last as long as the client is connected. */
const isStreamed = ({ verb, query }: RequestInfo): boolean =>
  verb === 'watch' || query.get('follow') === 'true'

/** All requests need the latest revision, except with `resourceVersion=0`. */
function needsReadBarrier({ path, verb, query }: RequestInfo): boolean {
  const isApi = path.startsWith('/api')
  return (
    isApi &&
    !(
      (verb === 'get' || verb === 'list' || verb === 'watch') &&
      query.get('resourceVersion') === '0'
    )
  )
}
