/** Stored objects for a response, converted to its version. */
import { chain, type MaybePromise } from '../maybe-promise'
import type { KubeObject } from '../object'
import type { StoredObject } from '../storage/storage'
import { keyOf, type RequestContext } from './request-context'
import type { Resource } from './resource'

/**
 * The object of a request; undefined if it does not exist.
 * @throws ApiError 400 for an invalid name, 500 if conversion fails
 */
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

/** A written object, once its conversion is cached. */
export async function showable<Found extends KubeObject | StoredObject>(
  { conversion }: Resource,
  found: Found,
): Promise<Found> {
  if (conversion) await conversion.prepare([found], 'all')
  return found
}
