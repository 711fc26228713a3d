import type { UserInfo } from '../authentication/authenticator'
import { causalityDocument } from '../causality/documents'
import { MEDIA_TYPE } from '../core/names'
import type { Json } from '../core/object'
import type { Engine } from '../registry/engine'
import { bodyText, withinLimit } from './body'
import { BUILD } from './build'
import { discoveryResponse } from './discovery-handler'
import { explainedConnection } from './explained-connection'
import { flowControlDump } from './flow-control-dumps'
import { healthMetrics, healthPaths, healthResponse } from './health'
import type { ApiRequest, ApiResponse } from './messages'
import { notRepresented, unlisted } from './negotiation'
import { openApiResponse } from './openapi-handler'
import { openIdPaths, openIdResponse } from './openid'
import type { RequestInfo } from './request-info'
import { jsonText, textResponse } from './respond'
import { badRequest, methodNotAllowed, noSuchResource } from './status'

/** @returns undefined for a plain 404 */
export async function handleNonResource(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
  user: UserInfo,
): Promise<ApiResponse | undefined> {
  const { path } = info
  if (path === '/version' || path.startsWith('/version/'))
    return versionDocument(engine, request, path)
  if (path.startsWith('/openapi/')) return openApiResponse(engine, request, info)
  if (path === '/' || path === '/index.html')
    return textResponse(200, 'application/json', indexText(engine))
  if (path === '/api' || path === '/apis' || path.startsWith('/api/') || path.startsWith('/apis/'))
    return discoveryResponse(engine, request, info)
  const openId = await openIdResponse(engine, request, path)
  if (openId) return openId
  if (path === '/metrics') return prometheusText(engine, await engine.metrics())
  if (path === '/metrics/slis' && engine.featureGates.ComponentSLIs === true)
    return prometheusText(engine, healthMetrics(engine))
  if (path === '/kubetab/v1/repairs') return repairs(engine, request, user)
  if (path === '/kubetab/v1/connection') {
    onlyGet(request)
    const document = await explainedConnection(engine, info.query)
    return textResponse(200, MEDIA_TYPE.json, jsonText(document, true))
  }
  if (path.startsWith('/kubetab/')) return causality(engine, request, info)
  return healthResponse(engine, info) ?? flowControlDump(engine, path)
}

/** Not in the index: kube-apiserver lacks these paths. */
function causality(
  engine: Engine,
  request: ApiRequest,
  { path, query }: RequestInfo,
): ApiResponse | undefined {
  const document = causalityDocument(
    path,
    (name) => query.all(name),
    engine.storage,
    () => engine.controllerWrites.all(),
  )
  if (document === undefined) return undefined
  onlyGet(request)
  if (typeof document === 'string') throw badRequest(document)
  return textResponse(200, MEDIA_TYPE.json, jsonText(document, true))
}

async function repairs(engine: Engine, request: ApiRequest, user: UserInfo): Promise<ApiResponse> {
  if (request.method !== 'POST') throw methodNotAllowed()
  const review = await engine.reviewRepairs(jsonBody(await request.body()), user)
  return textResponse(200, MEDIA_TYPE.json, jsonText(review, true))
}

function jsonBody(bytes: Uint8Array): Json {
  try {
    return JSON.parse(bodyText(withinLimit(bytes))) as Json
  } catch (error) {
    throw error instanceof SyntaxError
      ? badRequest(`the body is not JSON: ${error.message}`)
      : error
  }
}

function onlyGet(request: ApiRequest): void {
  if (request.method !== 'GET') throw methodNotAllowed()
}

const VERSION_TYPES = [MEDIA_TYPE.json]

function versionDocument(
  { release, tables }: Engine,
  request: ApiRequest,
  path: string,
): ApiResponse {
  if (path !== '/version' && path !== '/version/') throw noSuchResource()
  onlyGet(request)
  if (unlisted(request.header('accept'), VERSION_TYPES)) throw notRepresented(VERSION_TYPES)
  return textResponse(
    200,
    MEDIA_TYPE.json,
    JSON.stringify(
      {
        major: release.major,
        minor: release.minor,
        ...(tables.changes.has('VersionReportsEmulation') ? versionsOf(release.emulation) : {}),
        gitVersion: release.git,
        ...BUILD,
        ...(tables.changes.has('BuildTreeClean') && { gitTreeState: 'clean' }),
      },
      null,
      2,
    ),
  )
}

function versionsOf({ version, compatible }: Engine['release']['emulation']) {
  const [emulationMajor, emulationMinor] = version.split('.')
  const [minCompatibilityMajor, minCompatibilityMinor] = compatible.split('.')
  return { emulationMajor, emulationMinor, minCompatibilityMajor, minCompatibilityMinor }
}

/** Accepts any method and ignores Accept. Recorded from kube-apiserver 1.31. */
function prometheusText({ tables }: Engine, text: string): ApiResponse {
  const escaping = tables.changes.has('MetricsEscapeUnderscores') ? 'underscores' : 'values'
  return textResponse(200, `text/plain; version=0.0.4; charset=utf-8; escaping=${escaping}`, text)
}

function indexText(engine: Engine): string {
  const paths = new Set([
    ...openIdPaths(engine),
    '/api',
    '/apis',
    '/apis/',
    '/metrics',
    ...(engine.featureGates.ComponentSLIs === true ? ['/metrics/slis'] : []),
    ...(engine.featureGates.ComponentFlagz === true ? ['/flagz'] : []),
    ...(engine.featureGates.ComponentStatusz === true ? ['/statusz'] : []),
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    '/version',
    ...healthPaths(engine),
  ])
  for (const { group, version } of [...engine.resources.all(), ...engine.remotes.all()]) {
    if (group === '') paths.add(`/api/${version}`)
    else {
      paths.add(`/apis/${group}`)
      paths.add(`/apis/${group}/${version}`)
    }
  }
  return jsonText({ paths: [...paths].sort() }, true)
}
