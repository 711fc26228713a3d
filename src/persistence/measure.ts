import type { VersionId } from '../engine/storage/versions'
import type { PageRow, VersionRow } from './rows'

export interface StoreSize {
  /** Existing objects. */
  objects: number
  /** Includes versions that are not compacted. */
  versions: number
  /** Of keys and objects as text; disk size depends on the browser. */
  bytes: number
}

/** Older versions first, with rows per read, so that the page stays responsive. */
const TABLES = [
  { name: 'pages', rows: 8 },
  { name: 'versions', rows: 250 },
] as const
const WHERE_OBJECTS_ARE = '/registry/'

/**
 * @param name a missing database is not created
 * @returns undefined without such a database or store
 * @throws DOMException if the browser does not allow reading
 */
export async function measureStore(name: string): Promise<StoreSize | undefined> {
  const database = await opened(name)
  if (database === undefined) return undefined
  // Does not delay a deletion or upgrade.
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

/** In order of revision, with several transactions, so that no writer waits long. */
async function* versionsOf(database: IDBDatabase): AsyncGenerator<VersionRow> {
  for (const { name, rows } of TABLES) {
    // The first schema version had no pages.
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
  // Fires only for a missing database: abort, so that none is created.
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
      event.preventDefault()
      reject(request.error)
    }
  })
}
