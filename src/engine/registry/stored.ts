/** Stored objects on their way to a request: in a form that its version can show. */
import { chain, type MaybePromise } from '../maybe-promise'
import type { KubeObject } from '../object'
import type { StoredObject } from '../storage/storage'
import { keyOf, type RequestContext } from './request-context'
import type { Resource } from './resource'

/** The object that a request names; undefined if there is none. @throws ApiError 400 for a name that can be none, 500 it cannot be converted */
export function readStored(context: RequestContext): MaybePromise<StoredObject | undefined> {
  const { storage } = context.engine
  const { conversion } = context.resource
  const key = keyOf(context)
  const state = storage.snapshot?.()
  const found = state === undefined ? storage.get(key) : state.get(key)
  if (!conversion) return found
  return chain(found, async (stored) => {
    if (stored !== undefined) await conversion.prepare([stored], 'all')
    return stored
  })
}

/** What was written, or would have been, once its version can show it. */
export async function showable<Found extends KubeObject | StoredObject>(
  { conversion }: Resource,
  found: Found,
): Promise<Found> {
  if (conversion) await conversion.prepare([found], 'all')
  return found
}
