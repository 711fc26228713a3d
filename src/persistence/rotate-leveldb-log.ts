/**
 * Has Chromium begin a new log for what this site stores, before an engine writes behind the old one.
 *
 * Chromium keeps all databases of a site in one LevelDB, whose log takes an entry in two steps: its head, then its content. A browser
 * that is killed between the two leaves a stump. The next start overlooks it and goes on writing behind it; the start after that reads
 * what was written there as the content that was missing, finds the log damaged, and Chromium then removes everything that the site has
 * stored: seen after one in some fifty kills in the middle of writing. When a database is removed, Chromium has LevelDB compact its
 * range; LevelDB puts the log's entries into a table for that, begins a new log and drops the old one, stump and all. So an empty
 * database is made and removed, which takes some 15 ms. Chromium compacts a moment after it has said that the database is removed, and
 * no page can see when that moment has passed: so an engine does this as soon as it has read what is stored, before anyone asks it to
 * write. Who leaves a stump, writes within that moment of the next start and is killed again within it too is not protected. Other
 * browsers keep their data otherwise.
 */

const EMPTY = 'kubetab-empty'

/** @throws DOMException when the browser lets nothing be written */
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
