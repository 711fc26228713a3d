/** Requests that last as long as both sides want (public documentation, `--min-request-timeout` and "API Priority and Fairness"). */
import type { Asked } from './flow-schema'

const OPEN_ENDED = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])

export function isLongRunning({
  verb,
  isResource,
  subresource,
  path,
}: Pick<Asked, 'verb' | 'isResource' | 'subresource' | 'path'>): boolean {
  if (verb === 'watch' || verb === 'proxy') return true
  return isResource
    ? subresource !== '' && OPEN_ENDED.has(subresource)
    : path.startsWith('/debug/pprof/')
}
