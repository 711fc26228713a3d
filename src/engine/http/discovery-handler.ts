/** Separate lists, or one aggregated document (KEP-3352). */

import { inOrderOfServices } from '../aggregation/discovery'
import { API_DOMAIN, MEDIA_TYPE } from '../core/names'
import { entryOf, type JsonObject } from '../core/object'
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
} from '../encoding/discovery'
import { sha256 } from '../encoding/sha256'
import type { Engine } from '../registry/engine'
import { goTrimRight } from '../schema/go-text'
import type { ApiRequest, ApiResponse } from './messages'
import {
  type Format,
  type Negotiated,
  negotiate,
  notAcceptable,
  PLAIN,
  routeRejection,
  wantsPretty,
} from './negotiation'
import type { RequestInfo } from './request-info'
import { jsonText, respondJsonLike } from './respond'
import { methodNotAllowed, noSuchResource } from './status'

/** @returns undefined for an unknown group: a plain 404 */
export async function discoveryResponse(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
): Promise<ApiResponse | undefined> {
  const [root, group, version, ...rest] = goTrimRight(info.path.replace(/^\/+/, ''), '/').split(
    '/',
  ) as [string, string?, string?, ...string[]]
  if (rest.length > 0 || group === '') return undefined
  if (root === 'api') return coreDiscovery(engine, request, info, group, version)
  // Not with a trailing slash.
  if (group === undefined)
    return (
      (info.path === '/apis' ? aggregated(engine, request, info, 'apis') : undefined) ??
      document(
        request,
        info,
        apiGroupList(inOrderOfServices(engine.groups(), engine.remotes)),
        'anyMethod',
      )
    )
  if (version === undefined) {
    const found = apiGroup(engine.groups(), group)
    return found && document(request, info, found, group === AGGREGATOR_GROUP ? 'get' : 'anyMethod')
  }
  // A version that a definition adds to a built-in group is listed without resources. Custom
  // resources have hashes regardless of the feature gate. Compared with kube-apiserver 1.31.
  const withHashes =
    engine.featureGates.StorageVersionHash === true || engine.resources.isCustomGroup(group)
  const resources = engine.resources.hasVersion(group, version)
    ? apiResourceList(engine.groups(), group, version, withHashes)
    : undefined
  // Discovery of custom groups accepts any method.
  if (resources !== undefined)
    return document(
      request,
      info,
      resources,
      engine.resources.isCustomGroup(group) ? 'anyMethod' : 'get',
    )
  if (engine.resources.hasGroup(group) && !engine.resources.isCustomGroup(group))
    throw noSuchResource()
  return undefined
}

function coreDiscovery(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
  version: string | undefined,
  more: string | undefined,
): ApiResponse | undefined {
  if (more !== undefined) throw noSuchResource()
  if (version === undefined) {
    if (request.method !== 'GET') throw methodNotAllowed()
    return (
      aggregated(engine, request, info, 'api') ??
      document(request, info, apiVersions(engine.groups(), engine.serverAddress))
    )
  }
  const resources = apiResourceList(
    engine.groups(),
    '',
    version,
    engine.featureGates.StorageVersionHash === true,
  )
  if (resources === undefined) throw noSuchResource()
  return document(request, info, resources)
}

function document(
  request: ApiRequest,
  info: RequestInfo,
  body: JsonObject,
  methods: 'get' | 'anyMethod' = 'get',
): ApiResponse {
  if (methods === 'get' && request.method !== 'GET') throw methodNotAllowed()
  const accept = request.header('accept')
  // Paths for any method skip the route's check of media types.
  const rejection = methods === 'get' ? routeRejection(accept) : undefined
  if (rejection) throw rejection
  const negotiated = negotiate(accept, PLAIN)
  if (negotiated === undefined) throw notAcceptable(PLAIN)
  return respondJsonLike(
    { negotiated, pretty: wantsPretty(info.query.get('pretty'), request.header('user-agent')) },
    200,
    body,
  )
}

const AGGREGATOR_GROUP = `apiregistration.${API_DOMAIN}`
const AGGREGATED_GROUP = `apidiscovery.${API_DOMAIN}`
const AGGREGATED_KIND = 'APIGroupDiscoveryList'
const FORMAT_OF: Record<string, Format> = {
  [MEDIA_TYPE.json]: 'json',
  [MEDIA_TYPE.yaml]: 'yaml',
  [MEDIA_TYPE.protobuf]: 'protobuf',
}

/** Chosen if listed, even with lower quality than plain JSON. Recorded from kube-apiserver 1.31. */
function aggregated(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
  root: 'api' | 'apis',
): ApiResponse | undefined {
  for (const clause of (request.header('accept') ?? '').split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim())
    const wanted = type === '*/*' ? MEDIA_TYPE.json : type
    const format = entryOf(FORMAT_OF, wanted)
    if (
      format === undefined ||
      !parameters.includes(`g=${AGGREGATED_GROUP}`) ||
      !parameters.includes(`as=${AGGREGATED_KIND}`)
    )
      continue
    const version = parameters.includes('v=v2')
      ? 'v2'
      : parameters.includes('v=v2beta1') && !engine.featureGates.AggregatedDiscoveryRemoveBetaType
        ? 'v2beta1'
        : undefined
    if (version === undefined) continue
    const contentType = `${wanted};g=${AGGREGATED_GROUP};v=${version};as=${AGGREGATED_KIND}`
    const pretty =
      parameters.includes('pretty=1') ||
      wantsPretty(info.query.get('pretty'), request.header('user-agent'))
    const negotiated: Negotiated = { format, contentType, pretty, transform: undefined }
    return tagged(request, aggregatedDiscovery(engine.groups(), root, version), negotiated)
  }
  return undefined
}

/** KEP-3352. */
function tagged(request: ApiRequest, body: JsonObject, negotiated: Negotiated): ApiResponse {
  const digest = sha256(new TextEncoder().encode(jsonText(body, false)))
  const tag = `"${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}"`
  const caching = { etag: tag, vary: 'Accept', 'cache-control': 'public' }
  if (request.header('if-none-match') === tag) return { status: 304, headers: caching }
  const response = respondJsonLike({ negotiated, pretty: false }, 200, body)
  Object.assign(response.headers, caching)
  return response
}
