/**
 * Stored objects with the type of their kind. All readers share them, so they must not be changed.
 */
import type { KubeObject } from '../../core/object'

export type Stored<Kind> = Kind & KubeObject

/**
 * @returns `namespace/name`, or the name alone without a namespace: the key in queues and caches
 */
export function keyOf({ metadata }: Pick<KubeObject, 'metadata'>): string {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata.name ?? '')
}

export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf('/')
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}
