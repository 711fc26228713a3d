/** Small objects and shorthands for tests of stores. */
import type { KubeObject } from '../../src/engine/core/object'
import type {
  Outcome,
  Storage,
  StorageEvent,
  TransactionResult,
  WatchSink,
} from '../../src/engine/storage/storage'

/** A ConfigMap with `value` in its data. */
export function configMap(name: string, value: string): KubeObject {
  return {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name, resourceVersion: '0' },
    data: { value },
  }
}

export function dataOf(object: KubeObject): string {
  return (object.data as { value: string }).value
}

export function keyOf(name: string, namespace = 'default'): string {
  return `/registry/configmaps/${namespace}/${name}`
}

function nameIn(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

/** Writes unconditionally. */
export async function put(storage: Storage, key: string, value: string): Promise<Outcome> {
  return succeeded(
    await storage.transaction([], [{ type: 'put', key, object: configMap(nameIn(key), value) }]),
  )
}

/** Writes if the key has the revision; 0 means that it is absent. */
export function putIf(
  storage: Storage,
  key: string,
  revision: number,
  value: string,
  requestId?: string,
): Promise<TransactionResult> {
  const options = requestId === undefined ? {} : { requestId }
  return storage.transaction(
    [{ key, revision }],
    [{ type: 'put', key, object: configMap(nameIn(key), value) }],
    options,
  )
}

export async function remove(storage: Storage, key: string): Promise<Outcome> {
  return succeeded(await storage.transaction([], [{ type: 'delete', key }]))
}

export function succeeded(result: TransactionResult): Outcome {
  if (!result.succeeded)
    throw new Error(
      `the transaction was rejected: ${result.current?.key} is at ${result.current?.revision}`,
    )
  return result
}

/** `name=value` of everything under a prefix. */
export async function listed(
  storage: Storage,
  prefix = '/registry/',
  revision?: number,
): Promise<string[]> {
  const { items } = await storage.range(prefix, revision === undefined ? {} : { revision })
  return items.map(({ key, object }) => `${nameIn(key)}=${dataOf(object)}`)
}

/** A sink that records its events. */
export interface Recorder extends WatchSink {
  events: StorageEvent[]
  ends: string[]
  /** Returns the events in order: `ADDED a=1`. */
  reported(): string[]
}

export function recorder(): Recorder {
  const events: StorageEvent[] = []
  const ends: string[] = []
  return {
    events,
    ends,
    event: (event) => events.push(event),
    end: (reason) => ends.push(reason),
    reported: () =>
      events.map(({ type, key, current }) => `${type} ${nameIn(key)}=${dataOf(current.object)}`),
  }
}
