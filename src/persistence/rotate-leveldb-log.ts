/**
 * Makes Chromium start a new LevelDB log for this site before an engine appends to the old one.
 *
 * A browser killed between header and content of a log entry leaves a partial entry. The next start
 * appends after it; the one after that reads the appended data as the missing content, detects
 * corruption, and Chromium deletes all data of the site (once in about fifty kills during writes).
 *
 * Deleting a database compacts its key range, which starts a new log. So this creates and deletes an
 * empty database (15 ms). The compaction runs a moment after the reported deletion: an engine calls
 * this right after reading the store, and a second kill within that moment is not covered.
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
