import 'fake-indexeddb/auto'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Storage } from '../../src/engine/storage/storage'
import { openPersistentStore, type PersistentStore } from '../../src/persistence/indexeddb'

export const opened: Storage[] = []

/** Opens an engine's store over a database; several may share one. */
export async function openStorage(
  name: string,
  single?: number,
): Promise<{ storage: Storage; store: PersistentStore }> {
  const store = await openPersistentStore(name, single)
  const storage = createMemoryStorage({ backend: store, initial: await store.load(), freeze: true })
  opened.push(storage)
  return { storage, store }
}

/** Changes rows without the store. */
export function tamper(
  name: string,
  work: (versions: IDBObjectStore, pages: IDBObjectStore) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const database = request.result
      const transaction = database.transaction(['versions', 'pages'], 'readwrite')
      work(transaction.objectStore('versions'), transaction.objectStore('pages'))
      transaction.oncomplete = () => {
        database.close()
        resolve()
      }
    }
  })
}
