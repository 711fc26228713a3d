/** Under which labels a request is counted. */
import { entryOf } from '../object'
import type { Labels } from './instruments'
import type { Asked, Trace } from './trace'

/** Methods as they are counted; any other is `other`. */
const METHODS: Record<string, string> = {
  GET: 'GET',
  HEAD: 'GET',
  POST: 'POST',
  PUT: 'PUT',
  PATCH: 'PATCH',
  DELETE: 'DELETE',
}

const methodLabel = (method: string): string => entryOf(METHODS, method) ?? 'other'

/** Subresources that are connections, whatever the method. */
const CONNECTIONS = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])

/** Health checks as a whole belong to no component. */
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

/** Of requests for anything that is not told apart. */
export const namelessLabels = ({ method }: Trace): Labels => pathLabels(method, '')

export function labelsOf(trace: Trace): Labels {
  const { asked, method } = trace
  if (asked === undefined || !asked.isResource) return pathLabels(method, asked?.path ?? '')
  const { group, version, resource, subresource } = asked
  const scope = scopeOf(asked)
  return {
    component: 'apiserver',
    verb: verbOf(trace, asked, scope),
    group,
    version,
    resource,
    subresource,
    scope,
  }
}

/** By the method, so that the deletion of many is a DELETE as well; reads of many are told from those of one. */
function verbOf({ method, apply }: Trace, { verb, subresource }: Asked, scope: string): string {
  if (CONNECTIONS.has(subresource)) return 'CONNECT'
  if (verb === 'watch') return 'WATCH'
  if (apply) return 'APPLY'
  const counted = methodLabel(method)
  return counted === 'GET' && scope !== 'resource' ? 'LIST' : counted
}

/** Whether the path names an object; one that a field selector names is found among others. */
export function scopeOf({ name, verb, namespace, path }: Asked): string {
  const isOfMany =
    verb === 'list' ||
    verb === 'deletecollection' ||
    (verb === 'watch' && !path.includes('/watch/'))
  if ((name !== '' && !isOfMany) || verb === 'create') return 'resource'
  return namespace === '' ? 'cluster' : 'namespace'
}

/** How large answers are is only counted of reads. */
export const countsSize = ({ method, asked }: Trace): boolean =>
  (method === 'GET' || method === 'HEAD') && asked?.verb !== 'watch'
