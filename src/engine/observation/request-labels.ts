/** Under which labels a request is counted. */
import type { Labels } from './instruments'
import type { Asked, Trace } from './trace'

const COMPONENT = { component: 'apiserver' }

const VERBS: Record<string, string> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
}

const pathLabels = (method: string, path: string): Labels => ({
  ...COMPONENT,
  verb: method,
  group: '',
  version: '',
  resource: '',
  subresource: path,
  scope: '',
})

/** Of requests for anything that is not told apart. */
export const namelessLabels = ({ method }: Trace): Labels => pathLabels(method, '')

export function labelsOf({ asked, method, apply }: Trace): Labels {
  if (asked === undefined || !asked.isResource) return pathLabels(method, asked?.path ?? '')
  const { group, version, resource, subresource } = asked
  const verb = apply ? 'APPLY' : (VERBS[asked.verb] ?? 'other')
  return { ...COMPONENT, verb, group, version, resource, subresource, scope: scopeOf(asked) }
}

export function scopeOf({ name, verb, namespace }: Asked): string {
  if (name !== '' || verb === 'create') return 'resource'
  return namespace === '' ? 'cluster' : 'namespace'
}
