/** Readers share stored objects: never mutate them. */
import type { KubeObject } from '../../core/object'

export type Stored<Kind> = Kind & KubeObject

/** @returns `namespace/name`, or `name` */
export function keyOf({ metadata }: Pick<KubeObject, 'metadata'>): string {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata.name ?? '')
}

export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf('/')
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}
