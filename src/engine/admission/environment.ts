/** What plugins may know and do beyond the request itself. */
import type { Authorizer } from '../authorization/authorizer'
import type { Clock, Random } from '../environment'
import type { JsonObject, KubeObject } from '../object'
import type { Storage, StoredObject } from '../storage/storage'

export interface AdmissionEnvironment {
  storage: Storage
  clock: Clock
  random: Random
  /** Asked by plugins for which the right to write is not enough. */
  authorizer(): Authorizer
  /** Which resource a kind has; undefined: none that is served. */
  resourceOf(apiVersion: string, kind: string): { group: string; resource: string; namespaced: boolean } | undefined
  /**
   * Writes the status of a stored object in the server's own name.
   * @returns false if the object changed meanwhile: judge again
   */
  writeStatus(stored: KubeObject, status: KubeObject['status']): Promise<boolean>
  /** What a plugin's configuration says; undefined: it has none. */
  configurationOf(plugin: string): JsonObject | undefined
  /** Creates a namespace in the server's own name; one that is there already is fine. */
  createNamespace(name: string): Promise<void>
}

/** What was read: at once where the store need not be waited for. */
export type Read<Value> = Value | Promise<Value>

/** The stored object; undefined: there is none. It is shared: never change it. */
export function readObject<T extends KubeObject>({ storage }: AdmissionEnvironment, key: string): Read<T | undefined> {
  const now = storage.now?.()
  if (now) return now.latest(key)?.object as T | undefined
  return storage.get(key).then((stored) => stored?.object as T | undefined)
}

/** All stored objects below a prefix, by key. They are shared: never change them. */
export function readObjects<T extends KubeObject>({ storage }: AdmissionEnvironment, prefix: string): Read<T[]> {
  const objects = (items: StoredObject[]) => items.map(({ object }) => object as T)
  const now = storage.now?.()
  return now ? objects(now.under(prefix)) : storage.range(prefix).then(({ items }) => objects(items))
}

/** Goes on with what was read: at once if it is there. @throws what `go` throws, or the promise does */
export function whenRead<Value, Result>(read: Read<Value>, go: (value: Value) => Result | Promise<Result>): Read<Result> {
  return read instanceof Promise ? read.then(go) : go(read)
}
