import { chain, type MaybePromise } from '../core/maybe-promise'
import type { KubeObject } from '../core/object'
import type { StoredObject } from '../storage/storage'
import { keyOf, type RequestContext } from './request-context'
import type { Resource } from './resource'

/** @throws ApiError 400 invalid name, 500 failed conversion */
export function readStored(context: RequestContext): MaybePromise<StoredObject | undefined> {
  const { conversion } = context.resource
  const found = storedOf(context)
  if (!conversion) return found
  return chain(found, async (stored) => {
    if (stored !== undefined) await conversion.prepare([stored], 'all')
    return stored
  })
}

function storedOf(context: RequestContext): MaybePromise<StoredObject | undefined> {
  const { storage } = context.engine
  const key = keyOf(context)
  const state = storage.snapshot?.()
  return state === undefined ? storage.get(key) : state.get(key)
}

interface Updatable {
  stored: StoredObject | undefined
  /** Repeats the read that kube-apiserver makes before it trusts its watch cache. */
  reread(): Promise<void>
}

/**
 * Like kube-apiserver, which reads its cache first, and the store before it fails or omits a write:
 * k8s.io/apiserver, storage/etcd3/store.go, `GuaranteedUpdate`. @throws ApiError as `readStored`
 */
export function readForUpdate(context: RequestContext): MaybePromise<Updatable> {
  const { conversion } = context.resource
  if (!conversion || context.dryRun || context.isRetry)
    return chain(readStored(context), (stored) => ({ stored, reread: async () => {} }))
  return chain(storedOf(context), async (stored) => {
    const isCached = stored !== undefined && (await conversion.prepareForUpdate(stored))
    const reread = async () => {
      if (isCached) await conversion.prepare([stored], 'all')
    }
    return { stored, reread }
  })
}

export async function showable<Found extends KubeObject | StoredObject>(
  { conversion }: Resource,
  found: Found,
): Promise<Found> {
  if (conversion) await conversion.prepare([found], 'all')
  return found
}
