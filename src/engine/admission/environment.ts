import type { Authorizer } from '../authorization/authorizer'
import type { Clock, Random } from '../core/environment'
import { chain, type MaybePromise } from '../core/maybe-promise'
import type { JsonObject, KubeObject } from '../core/object'
import type { Storage, StoredObject, Watcher } from '../storage/storage'
import type { PodSecurityMetrics } from './pod-security/metrics'

/** In seconds. */
export interface TolerationSeconds {
  notReady: number
  unreachable: number
}

export interface AdmissionEnvironment {
  /** The emulated release: `1.31`. */
  release: string
  featureGates: Readonly<Record<string, boolean>>
  podSecurity: PodSecurityMetrics
  storage: Storage
  clock: Clock
  random: Random
  authorizer(): Authorizer
  /** undefined if it is not served. */
  resourceOf(
    apiVersion: string,
    kind: string,
  ): { group: string; resource: string; namespaced: boolean } | undefined
  /** @returns false on a conflict: evaluate again */
  writeStatus(stored: KubeObject, status: KubeObject['status']): Promise<boolean>
  tolerationSeconds: TolerationSeconds
  configurationOf(plugin: string): JsonObject | undefined
  createNamespace(name: string): Promise<void>
}

/** Shared: never change the result. */
export function readObject<T extends KubeObject>(
  { storage }: AdmissionEnvironment,
  key: string,
): MaybePromise<T | undefined> {
  const state = storage.snapshot?.()
  if (state !== undefined) return state.get(key)?.object as T | undefined
  return storage.get(key).then((stored) => stored?.object as T | undefined)
}

/** Waits for an absent object; undefined if it is not created in time. Shared: never change it. */
export function awaitObject<T extends KubeObject>(
  environment: AdmissionEnvironment,
  key: string,
  milliseconds: number,
): MaybePromise<T | undefined> {
  const revision = environment.storage.currentRevision()
  return chain(
    readObject<T>(environment, key),
    (present) => present ?? nextObject<T>(environment, key, revision, milliseconds),
  )
}

function nextObject<T extends KubeObject>(
  { storage, clock }: AdmissionEnvironment,
  key: string,
  revision: number,
  milliseconds: number,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    let settled = false
    const settle = (found: T | undefined) => {
      settled = true
      callOff()
      watcher?.stop()
      resolve(found)
    }
    const callOff = clock.after(milliseconds, () => settle(undefined))
    let watcher: Watcher | undefined
    watcher = storage.watch(key, revision, {
      event: ({ type, current }) => {
        if (type !== 'DELETED') settle(current.object as T)
      },
      end: () => settle(undefined),
    })
    if (settled) watcher.stop()
  })
}

/** Shared: never change the results. */
export function readObjects<T extends KubeObject>(
  { storage }: AdmissionEnvironment,
  prefix: string,
): MaybePromise<T[]> {
  const objectsOf = (items: readonly StoredObject[]) => items.map(({ object }) => object as T)
  const state = storage.snapshot?.()
  return state === undefined
    ? storage.range(prefix).then(({ items }) => objectsOf(items))
    : objectsOf(state.range(prefix))
}
