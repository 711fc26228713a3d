/** How much of a store there is in a browser's database, read beside the engine that may be at work on it. */
import type { CommittedChange } from '../engine/storage/backend'

export interface StoreSize {
  /** Those that are there now. */
  objects: number
  /** With the states before, as far as they are remembered. */
  versions: number
  /** As text; what it takes on the disk is the browser's affair. */
  bytes: number
}

/** Read at a time: few enough that the page stays at hand meanwhile. */
const ROWS = 250
const WHERE_OBJECTS_ARE = '/registry/'

/**
 * @param name of the database, as `openPersistentStore` takes it; one that is not there is not made
 * @returns undefined if there is no such database, or nothing of a store in it
 * @throws DOMException when the browser does not let it be read
 */
export async function measureStore(name: string): Promise<StoreSize | undefined> {
  const database = await opened(name)
  if (database === undefined) return undefined
  // Who wants to remove it, or to lay it out anew, need not wait for the end.
  database.onversionchange = () => database.close()
  try {
    return await measured(database)
  } finally {
    database.close()
  }
}

async function measured(database: IDBDatabase): Promise<StoreSize | undefined> {
  if (!database.objectStoreNames.contains('versions')) return undefined
  const there = new Set<string>()
  let versions = 0
  let bytes = 0
  for (let rows = await rowsBehind(database, undefined); ; rows = await rowsBehind(database, rows.at(-1))) {
    for (const row of rows) {
      versions++
      bytes += JSON.stringify(row).length
      if (row.object === undefined) there.delete(row.key)
      else if (row.key.startsWith(WHERE_OBJECTS_ARE)) there.add(row.key)
    }
    if (rows.length < ROWS) return { objects: there.size, versions, bytes }
  }
}

/** In the order of revisions. A transaction of its own each time, so that no writer waits long. */
function rowsBehind(database: IDBDatabase, last: CommittedChange | undefined): Promise<CommittedChange[]> {
  const range = last && IDBKeyRange.lowerBound([last.revision, last.key], true)
  return answered(database.transaction('versions').objectStore('versions').getAll(range, ROWS))
}

async function opened(name: string): Promise<IDBDatabase | undefined> {
  const request = indexedDB.open(name)
  let fresh = false
  // Only a database that was not there is to be laid out; it is not left behind.
  request.onupgradeneeded = () => {
    fresh = true
    request.transaction?.abort()
  }
  return answered(request).catch((error: unknown) => {
    if (fresh) return undefined
    throw error
  })
}

function answered<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = (event) => {
      // Told to who asked, and to nobody else.
      event.preventDefault()
      reject(request.error)
    }
  })
}
