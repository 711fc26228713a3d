/** What this page's hosts keep in the browser: databases, files for times without a network, the worker itself; measured and removed. */
import { measureStore, type StoreSize } from '../../persistence/measure'
import { isOwnCache } from '../shared/caches'
import { databaseOf, workspaceOf } from '../shared/paths'

export type { StoreSize }

/** @returns the workspaces that have a database here; undefined where the browser does not list its databases */
export async function storedWorkspaces(): Promise<string[] | undefined> {
  if (!('indexedDB' in globalThis) || typeof indexedDB.databases !== 'function') return undefined
  const databases = await indexedDB.databases().catch(() => undefined)
  return databases?.flatMap(({ name = '' }) => workspaceOf(name) ?? [])
}

/** @returns undefined for a workspace that has no database */
export const measureWorkspace = (workspace: string): Promise<StoreSize | undefined> =>
  measureStore(databaseOf(workspace))

/**
 * Removes a workspace's database from outside, for when no engine is to be asked any more. Those that have it open release it.
 *
 * @throws Error when someone does not
 */
export function removeDatabase(workspace: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseOf(workspace))
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
    // They are told before; who still holds it then is a tab that hangs.
    request.onblocked = () =>
      reject(new Error('another tab holds it: close the other tabs of this page'))
  })
}

export interface OfflineCopy {
  files: number
  bytes: number
}

export const hasOfflineCopy = async (): Promise<boolean> => (await ownCaches()).length > 0

/** The files that are kept so that the page opens without a network. */
export async function offlineCopy(): Promise<OfflineCopy> {
  const copy = { files: 0, bytes: 0 }
  for (const name of await ownCaches()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const response = await cache.match(request)
      copy.files++
      copy.bytes += (await response?.blob())?.size ?? 0
    }
  }
  return copy
}

/** The worker fetches the files again with a later visit. */
export async function removeOfflineCopy(): Promise<void> {
  for (const name of await ownCaches()) await caches.delete(name)
}

/** Absent without a secure context. */
async function ownCaches(): Promise<string[]> {
  return 'caches' in globalThis ? (await caches.keys()).filter(isOwnCache) : []
}

/** The worker ends with the last page that it serves. @param base path that the page is served under */
export async function removeWorker(base: string): Promise<void> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer }
  const registration = await serviceWorker?.getRegistration(base)
  // A worker of a wider scope is another application's.
  if (registration?.scope === new URL(base, location.origin).href) await registration.unregister()
}
