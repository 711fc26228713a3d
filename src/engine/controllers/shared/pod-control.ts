/**
 * Creates and deletes Pods for a controller, with its events. Recorded from kube-controller-manager
 * 1.31.
 */
import type { Pod } from 'kubernetes-types/core/v1'
import type { KubeObject } from '../../core/object'
import { ApiError } from '../../http/status'
import { type Client, inTerminatingNamespace } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Stored } from '../runtime/stored'

interface Context {
  client: Client
  recorder: Recorder
}

/** @returns undefined if the namespace is terminating @throws ApiError after an event */
export async function makePod(
  { client, recorder }: Context,
  owner: KubeObject,
  given: object,
): Promise<Stored<Pod> | undefined> {
  try {
    const pod = await client.create<Pod>(given)
    recorder.event(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`)
    return pod
  } catch (error) {
    if (inTerminatingNamespace(error)) return undefined
    if (error instanceof ApiError)
      recorder.event(owner, 'Warning', 'FailedCreate', `Error creating: ${error.message}`)
    throw error
  }
}

/** @throws ApiError after an event */
export async function removePod(
  { client, recorder }: Context,
  owner: KubeObject,
  pod: Stored<Pod>,
): Promise<void> {
  try {
    await client.delete(pod, { preconditions: { uid: pod.metadata.uid } })
  } catch (error) {
    if (error instanceof ApiError)
      recorder.event(owner, 'Warning', 'FailedDelete', `Error deleting: ${error.message}`)
    throw error
  }
  recorder.event(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
}

/** Processes all items. @throws the first failure */
export async function each<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Batches of 1, 2, 4 … stop after a failure: later items would probably fail too. */
export async function slowStartBatch<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let done = 0, size = 1; done < items.length; done += size, size *= 2)
    await each(items.slice(done, done + size), work)
}
