/** Requests without a time limit (kubernetes.io, "kube-apiserver", `--min-request-timeout`). */
import type { RequestInfo } from './flow-schema'

const OPEN_ENDED = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])

export function isLongRunning({
  verb,
  isResource,
  subresource,
  path,
}: Pick<RequestInfo, 'verb' | 'isResource' | 'subresource' | 'path'>): boolean {
  if (verb === 'watch' || verb === 'proxy') return true
  return isResource
    ? subresource !== '' && OPEN_ENDED.has(subresource)
    : path.startsWith('/debug/pprof/')
}
