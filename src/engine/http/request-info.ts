/** What a request is about, read from its method, path and query alone (document 1, "Path shapes", "Verbs"). */
import { parseQuery, percentDecode, type Query } from './query'

export interface RequestInfo {
  /** Decoded path without query. */
  path: string
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; the lower-case method off resource paths; empty for unknown methods. */
  verb: string
  isResource: boolean
  group: string
  version: string
  namespace: string
  /** The path goes through `namespaces/{ns}/` to the resource; the namespace itself may be empty. */
  inNamespace: boolean
  resource: string
  subresource: string
  name: string
  /** Path segments behind the resource's version, `namespaces/{ns}` and watch prefix removed: `[resource, name, subresource, …]`. */
  parts: string[]
  /** The path used the legacy form `/api/v1/watch/…`. */
  legacyWatch: boolean
  query: Query
}

const VERB_OF_METHOD: Record<string, string> = { POST: 'create', GET: 'get', HEAD: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }

/** Subresources of a namespace itself; every other third segment is a resource inside it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize'])

/** `watch=` with any value but these asks for a watch. */
const NOT_A_WATCH = new Set(['0', 'false', 'False', 'FALSE'])

export function asksForWatch(query: Query): boolean {
  const value = query.get('watch')
  return value !== undefined && !NOT_A_WATCH.has(value)
}

/** A path that says what to do but not to what: nobody can tell what it is about (recorded). */
export class RequestInfoError extends Error {
  constructor(path: string) {
    super(`failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`)
  }
}

/**
 * @throws RequestInfoError
 * @param target path and query as sent. A path that cannot be decoded is taken as it is.
 */
export function requestInfo(method: string, target: string): RequestInfo {
  const mark = target.indexOf('?')
  const rawPath = mark < 0 ? target : target.slice(0, mark)
  const query = parseQuery(mark < 0 ? '' : target.slice(mark + 1))
  const path = percentDecode(rawPath) ?? rawPath
  const info: RequestInfo = {
    path,
    verb: method.toLowerCase(),
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
  let parts = path.replace(/^\/+|\/+$/g, '').split('/')
  const prefix = parts[0]
  if ((prefix !== 'api' && prefix !== 'apis') || parts.length < 3) return info
  parts = parts.slice(1)
  if (prefix === 'apis') {
    if (parts.length < 3) return info
    info.group = parts[0] as string
    parts = parts.slice(1)
  }
  info.isResource = true
  info.version = parts[0] as string
  parts = parts.slice(1)
  info.verb = VERB_OF_METHOD[method] ?? ''
  if (parts[0] === 'watch' || parts[0] === 'proxy') {
    if (parts.length === 1) throw new RequestInfoError(path)
    info.legacyWatch = parts[0] === 'watch'
    info.verb = parts[0]
    parts = parts.slice(1)
  }
  if (parts[0] === 'namespaces') {
    if (parts.length > 1) {
      info.namespace = parts[1] as string
      if (parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] as string)) {
        parts = parts.slice(2)
        info.inNamespace = true
      }
    }
  }
  info.parts = parts
  info.resource = parts[0] ?? ''
  info.name = parts[1] ?? ''
  info.subresource = parts[2] ?? ''
  if (info.name === '' && info.verb === 'get') info.verb = asksForWatch(query) ? 'watch' : 'list'
  if (info.name === '' && info.verb === 'delete') info.verb = 'deletecollection'
  if (info.verb === 'list' || info.verb === 'watch') info.name = nameFromFieldSelector(query) ?? info.name
  return info
}

/** `fieldSelector=metadata.name=x` names one object for authorization (recorded). */
function nameFromFieldSelector(query: Query): string | undefined {
  const selector = query.get('fieldSelector')
  if (selector === undefined) return undefined
  const term = selector.split(',').find((part) => /^metadata\.name==?[^=!]/.test(part))
  return term?.replace(/^metadata\.name==?/, '')
}
