import type { KubeObject } from '../../engine/core/object'
import type { ServedResource } from './discovery'
import { type Health, terminating } from './health/health'

export interface OwnerReference {
  uid: string
  kind: string
  name: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface TreeObject {
  namespace: string
  name: string
  uid: string
  resourceVersion: string
  created: string
  deleting: boolean
  owners: readonly OwnerReference[]
  finalizers: readonly string[]
  /** Undefined for kinds without a status, unless the object is being deleted. */
  health: Health | undefined
  /** Time of the last change; 0 if it was in the first list. */
  changed: number
}

/** An item of a list, or the object of a watch event. */
export interface ListedObject {
  metadata: {
    name: string
    namespace?: string
    uid: string
    resourceVersion: string
    creationTimestamp?: string
    deletionTimestamp?: string
    ownerReferences?: OwnerReference[]
    finalizers?: string[]
  }
}

export type ReadHealth = (object: ListedObject) => Health

/** Loads on demand, for a faster first paint. @returns undefined if the kind has no health */
export async function healthReader({
  group,
  version,
  kind,
}: ServedResource): Promise<ReadHealth | undefined> {
  const { hasHealth, healthOf } = await import('./health/object-health')
  if (!hasHealth(group, kind)) return undefined
  const apiVersion = group === '' ? version : `${group}/${version}`
  // Items of a list lack kind and apiVersion.
  return (object) => healthOf({ ...object, apiVersion, kind } as unknown as KubeObject)
}

export function treeObject(
  object: ListedObject,
  changed: number,
  health: ReadHealth | undefined,
): TreeObject {
  const {
    name,
    namespace = '',
    uid,
    resourceVersion,
    creationTimestamp = '',
    deletionTimestamp,
    ownerReferences: owners = [],
    finalizers = [],
  } = object.metadata
  const deleting = deletionTimestamp !== undefined
  return {
    namespace,
    name,
    uid,
    resourceVersion,
    created: creationTimestamp,
    deleting,
    owners,
    finalizers,
    health: health?.(object) ?? (deleting ? terminating(finalizers) : undefined),
    changed,
  }
}
