/** Objects as controllers see them: what the store holds, by the kind's own type. Shared with every reader; never changed. */
import type { KubeObject } from '../../object'

export type Stored<Kind> = Kind & KubeObject

/** `namespace/name`, or the name alone where there is no namespace: the key under which queues and caches hold an object. */
export function keyOf({ metadata }: Pick<KubeObject, 'metadata'>): string {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata.name ?? '')
}

/** The other way round. */
export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf('/')
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}
