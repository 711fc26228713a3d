/**
 * Makes Chromium start a new LevelDB log for this site before an engine appends to the old one.
 *
 * Chromium keeps all databases of a site in one LevelDB. Its log writes an entry in two steps: the header, then
 * the content. A browser that is killed between them leaves a partial entry. The next start appends after it. The
 * start after that reads the appended data as the missing content, detects corruption, and Chromium then deletes
 * all data of the site. It happened once in about fifty kills during writes.
 *
 * When a database is deleted, Chromium makes LevelDB compact its key range. LevelDB moves the log's entries into a
 * table and starts a new log without the partial entry. So this function creates and deletes an empty database,
 * which takes about 15 ms. The compaction runs a moment after the deletion is reported, and a page cannot observe
 * it. Therefore an engine calls this as soon as it has read the store, before a client writes. A second kill within
 * that moment is not covered. Other browsers use other storage formats.
 */

const EMPTY = 'kubetab-empty'

/** @throws DOMException if the browser allows no writes */
export async function rotateLevelDbLog(userAgent: string = navigator.userAgent): Promise<void> {
  if (!userAgent.includes('Chrome/')) return
  const database = await resultOf(indexedDB.open(EMPTY))
  database.close()
  await resultOf(indexedDB.deleteDatabase(EMPTY))
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
