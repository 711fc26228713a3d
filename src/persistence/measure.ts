/** How much of a store there is in a browser's database, read beside the engine that may be at work on it. */
import type { VersionId } from '../engine/storage/versions'
import type { PageRow, VersionRow } from './rows'

export interface StoreSize {
  /** Those that are there now. */
  objects: number
  /** With the states before, as far as they are remembered. */
  versions: number
  /** Of keys and objects as text; what it takes on the disk is the browser's affair. */
  bytes: number
}

/** The tables that versions lie in, older ones first, and how much of each is read at a time: so that the page stays at hand. */
const TABLES = [
  { name: 'pages', rows: 8 },
  { name: 'versions', rows: 250 },
] as const
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
  for await (const { key, json, object } of versionsOf(database)) {
    versions++
    const text = json ?? (object && JSON.stringify(object))
    bytes += key.length + (text?.length ?? 0)
    if (text === undefined) there.delete(key)
    else if (key.startsWith(WHERE_OBJECTS_ARE)) there.add(key)
  }
  return { objects: there.size, versions, bytes }
}

/** In the order of revisions. A transaction of its own for each part, so that no writer waits long. */
async function* versionsOf(database: IDBDatabase): AsyncGenerator<VersionRow> {
  for (const { name, rows } of TABLES) {
    // A layout of before had no pages.
    if (!database.objectStoreNames.contains(name)) continue
    let part: (PageRow | VersionRow)[] = []
    do {
      part = await rowsBehind(database, name, rows, part.at(-1))
      for (const row of part) {
        if ('rows' in row) yield* row.rows
        else yield row
      }
    } while (part.length === rows)
  }
}

function rowsBehind(
  database: IDBDatabase,
  table: string,
  count: number,
  last: VersionId | undefined,
): Promise<(PageRow | VersionRow)[]> {
  const range = last && IDBKeyRange.lowerBound([last.revision, last.key], true)
  return resultOf(database.transaction(table).objectStore(table).getAll(range, count))
}

async function opened(name: string): Promise<IDBDatabase | undefined> {
  const request = indexedDB.open(name)
  let fresh = false
  // Only a database that was not there is to be laid out; it is not left behind.
  request.onupgradeneeded = () => {
    fresh = true
    request.transaction?.abort()
  }
  return resultOf(request).catch((error: unknown) => {
    if (fresh) return undefined
    throw error
  })
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = (event) => {
      // Told to who asked, and to nobody else.
      event.preventDefault()
      reject(request.error)
    }
  })
}
