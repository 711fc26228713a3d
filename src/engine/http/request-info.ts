/**
 * Derives verb, resource, namespace and name from a request. See k8s.io/apiserver,
 * endpoints/request, `RequestInfoFactory`.
 */
import { entryOf } from '../core/object'
import { parseFieldSelector, pinnedValue } from '../selectors/fields'
import { isTrue, percentDecode, type Query, queryOf } from './query'

export interface RequestInfo {
  /** Decoded, without query. */
  path: string
  /**
   * `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for other
   * paths the lower-case method, or empty.
   */
  verb: string
  isResource: boolean
  group: string
  version: string
  namespace: string
  /** The path contains `namespaces/{ns}/`; the namespace may be empty. */
  inNamespace: boolean
  resource: string
  subresource: string
  name: string
  /** After the version, without namespace and watch prefix. */
  parts: string[]
  /** `/api/v1/watch/…` */
  legacyWatch: boolean
  query: Query
}

const VERB_OF_METHOD: Record<string, string> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** Other segments there are resources inside the namespace. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize'])

function isWatchRequest(query: Query): boolean {
  const value = query.get('watch')
  return value !== undefined && isTrue(value)
}

/** A legacy path with a verb but no resource. Recorded from kube-apiserver 1.31. */
export class RequestInfoError extends Error {
  constructor(target: string) {
    super(
      `failed to create RequestInfo: unable to determine kind and namespace from url, ${target}`,
    )
  }
}

/**
 * @param target as sent; may be undecodable
 * @throws RequestInfoError
 */
export function requestInfo(method: string, target: string): RequestInfo {
  const mark = target.indexOf('?')
  const rawPath = mark < 0 ? target : target.slice(0, mark)
  const query = queryOf(target)
  const path = percentDecode(rawPath) ?? rawPath
  const info: RequestInfo = {
    path,
    verb: '',
    isResource: false,
    group: '',
    version: '',
    namespace: '',
    inNamespace: false,
    resource: '',
    subresource: '',
    name: '',
    parts: [],
    legacyWatch: false,
    query,
  }
  const segments = segmentsOf(path)
  const prefix = segments[0]
  if ((prefix !== 'api' && prefix !== 'apis') || segments.length < (prefix === 'api' ? 3 : 4)) {
    info.verb = method.toLowerCase()
    return info
  }
  let at = 1
  if (prefix === 'apis') info.group = segments[at++] as string
  info.isResource = true
  info.version = segments[at++] as string
  info.verb = entryOf(VERB_OF_METHOD, method) ?? ''
  const special = segments[at]
  if (special === 'watch' || special === 'proxy') {
    if (segments.length === at + 1) throw new RequestInfoError(target)
    info.legacyWatch = special === 'watch'
    info.verb = special
    at++
  }
  if (segments[at] === 'namespaces' && segments.length > at + 1) {
    info.namespace = segments[at + 1] as string
    if (segments.length > at + 2 && !NAMESPACE_SUBRESOURCES.has(segments[at + 2] as string)) {
      at += 2
      info.inNamespace = true
    }
  }
  const parts = segments.slice(at)
  info.parts = parts
  info.resource = parts[0] ?? ''
  info.name = parts[1] ?? ''
  info.subresource = info.verb === 'proxy' ? '' : (parts[2] ?? '')
  if (info.name === '' && info.verb === 'get') info.verb = isWatchRequest(query) ? 'watch' : 'list'
  if (info.name === '' && info.verb === 'delete') info.verb = 'deletecollection'
  const selects = info.verb === 'list' || (info.verb === 'watch' && !info.legacyWatch)
  if (selects) info.name = nameFromFieldSelector(query) ?? info.name
  return info
}

const SLASH = 0x2f

/** At least one segment, which may be empty. */
function segmentsOf(path: string): string[] {
  let start = 0
  let end = path.length
  while (start < end && path.charCodeAt(start) === SLASH) start++
  while (end > start && path.charCodeAt(end - 1) === SLASH) end--
  const segments: string[] = []
  for (
    let slash = path.indexOf('/', start);
    slash >= 0 && slash < end;
    slash = path.indexOf('/', start)
  ) {
    segments.push(path.slice(start, slash))
    start = slash + 1
  }
  segments.push(path.slice(start, end))
  return segments
}

/**
 * `fieldSelector=metadata.name=x` names an object for authorization. See k8s.io/apiserver,
 * endpoints/request/requestinfo.go.
 */
function nameFromFieldSelector(query: Query): string | undefined {
  const selector = query.get('fieldSelector')
  if (selector === undefined) return undefined
  try {
    const name = pinnedValue(parseFieldSelector(selector), 'metadata.name')
    return name === undefined || name === '.' || name === '..' || /[/%]/.test(name)
      ? undefined
      : name
  } catch {
    // Rejected after authorization.
    return undefined
  }
}
