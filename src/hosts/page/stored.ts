/** Measures and removes the page's databases, cached files, and service worker. */
import { measureStore, type StoreSize } from '../../persistence/measure'
import { isOwnCache } from '../shared/caches'
import { databaseOf, workspaceOf } from '../shared/paths'

export type { StoreSize }

/** Undefined if the browser cannot list databases. */
export async function storedWorkspaces(): Promise<string[] | undefined> {
  if (!('indexedDB' in globalThis) || typeof indexedDB.databases !== 'function') return undefined
  const databases = await indexedDB.databases().catch(() => undefined)
  return databases?.flatMap(({ name = '' }) => workspaceOf(name) ?? [])
}

export const measureWorkspace = (workspace: string): Promise<StoreSize | undefined> =>
  measureStore(databaseOf(workspace))

/**
 * Deletes a database without its engine, after open connections were notified.
 * @throws Error if a connection stays open
 */
export function removeDatabase(workspace: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseOf(workspace))
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
    // A connection still open after its `versionchange` event belongs to an unresponsive tab.
    request.onblocked = () =>
      reject(new Error('another tab holds it: close the other tabs of this page'))
  })
}

export interface OfflineCopy {
  files: number
  bytes: number
}

export const hasOfflineCopy = async (): Promise<boolean> => (await ownCaches()).length > 0

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

/** The worker caches the files again on a later visit. */
export async function removeOfflineCopy(): Promise<void> {
  for (const name of await ownCaches()) await caches.delete(name)
}

/** Cache Storage is absent outside secure contexts. */
async function ownCaches(): Promise<string[]> {
  return 'caches' in globalThis ? (await caches.keys()).filter(isOwnCache) : []
}

/** The worker ends with its last page. @param base path of the page */
export async function removeWorker(base: string): Promise<void> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer }
  const registration = await serviceWorker?.getRegistration(base)
  // A wider scope belongs to another application.
  if (registration?.scope === new URL(base, location.origin).href) await registration.unregister()
}
