/** The API verb of a request (kubernetes.io, "API verbs on resources"). */
import { entryOf } from '../../../engine/core/object'
import { targetOf } from '../../state/request-target'

const OF_ONE: Record<string, string> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}
const OF_MANY: Record<string, string> = {
  ...OF_ONE,
  GET: 'list',
  HEAD: 'list',
  DELETE: 'deletecollection',
}

/** @param path with query; for non-resource paths the method is the verb */
export function verbOf(method: string, path: string): string {
  const target = targetOf(path)
  if (target === undefined) return method.toLowerCase()
  const watch = new URLSearchParams(path.split('?')[1] ?? '').get('watch')
  if (method === 'GET' && watch !== null && watch !== 'false' && watch !== '0') return 'watch'
  return entryOf(target.name === undefined ? OF_MANY : OF_ONE, method) ?? method.toLowerCase()
}
