import { entryOf } from '../core/object'
import type { Labels } from './instruments'
import type { RequestAttributes, Trace } from './trace'

/** Others are `other`. */
const METHODS: Record<string, string> = {
  GET: 'GET',
  HEAD: 'GET',
  POST: 'POST',
  PUT: 'PUT',
  PATCH: 'PATCH',
  DELETE: 'DELETE',
}

const methodLabel = (method: string): string => entryOf(METHODS, method) ?? 'other'

/** These count as CONNECT. */
const CONNECTIONS = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])

/** Complete health checks belong to no component. */
const HEALTH = new Set(['/healthz', '/livez', '/readyz'])

const pathLabels = (method: string, path: string): Labels => ({
  component: HEALTH.has(path) ? '' : 'apiserver',
  verb: methodLabel(method),
  group: '',
  version: '',
  resource: '',
  subresource: path,
  scope: '',
})

export const namelessLabels = ({ method }: Trace): Labels => pathLabels(method, '')

export function labelsOf(trace: Trace): Labels {
  const { attributes, method } = trace
  if (attributes === undefined || !attributes.isResource)
    return pathLabels(method, attributes?.path ?? '')
  const { group, version, resource, subresource } = attributes
  const scope = scopeOf(attributes)
  return {
    component: 'apiserver',
    verb: verbOf(trace, attributes, scope),
    group,
    version,
    resource,
    subresource,
    scope,
  }
}

/** LIST reads many objects, GET one; deletecollection is DELETE. */
function verbOf(
  { method, apply }: Trace,
  { verb, subresource }: RequestAttributes,
  scope: string,
): string {
  if (CONNECTIONS.has(subresource)) return 'CONNECT'
  if (verb === 'watch') return 'WATCH'
  if (apply) return 'APPLY'
  const counted = methodLabel(method)
  return counted === 'GET' && scope !== 'resource' ? 'LIST' : counted
}

/** One name in a field selector has the scope of a list. */
export function scopeOf({ name, verb, namespace, path }: RequestAttributes): string {
  const isOfMany =
    verb === 'list' ||
    verb === 'deletecollection' ||
    (verb === 'watch' && !path.includes('/watch/'))
  if ((name !== '' && !isOfMany) || verb === 'create') return 'resource'
  return namespace === '' ? 'cluster' : 'namespace'
}

export const countsSize = ({ method, attributes }: Trace): boolean =>
  (method === 'GET' || method === 'HEAD') && attributes?.verb !== 'watch'
