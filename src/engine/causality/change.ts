import { largest } from '../core/lists'
import type { KubeObject } from '../core/object'
import type { StorageEvent } from '../storage/storage'

export interface Change {
  revision: number
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  kind: string
  namespace: string
  name: string
  /** Cluster time in milliseconds since the epoch, if the object has one. */
  at: number | undefined
}

export function changeOf({ type, revision, current: { object } }: StorageEvent): Change {
  const { kind, metadata } = object
  return {
    revision,
    type,
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    at: timeOf(object),
  }
}

/** Time of the last write according to metadata. */
function timeOf({ metadata }: KubeObject): number | undefined {
  const times = (metadata.managedFields ?? []).map(({ time }) => Date.parse(String(time ?? '')))
  const known = [Date.parse(metadata.creationTimestamp ?? ''), ...times].filter(
    (time) => !Number.isNaN(time),
  )
  return known.length === 0 ? undefined : largest(known)
}
