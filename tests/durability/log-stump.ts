/** What a browser leaves behind that is killed between the head and the content of an entry of its database's log. */
import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

/** LevelDB's log format: blocks of this size, in which no entry begins whose head would not fit. */
const BLOCK = 32_768
/** Checksum of four bytes, length of two, type of one. */
const HEAD = 7

/**
 * Cuts the content off the last entry of the log of everything that a profile's only site has stored. The browser must not run.
 *
 * @returns the log's path: the file goes when the browser has put the log away
 * @throws Error if nothing is stored
 */
export function leaveStump(profile: string): string {
  const databases = join(profile, 'Default', 'IndexedDB')
  const site = readdirSync(databases).find((name) => name.endsWith('.leveldb'))
  if (site === undefined) throw new Error('the site has stored nothing')
  const log = readdirSync(join(databases, site))
    .filter((name) => name.endsWith('.log'))
    .sort()
    .at(-1)
  if (log === undefined) throw new Error('the database has no log')
  const path = join(databases, site, log)
  truncateSync(path, lastEntry(readFileSync(path)) + HEAD)
  return path
}

/** @returns where it begins */
function lastEntry(bytes: Buffer): number {
  let last: number | undefined
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const left = BLOCK - (at % BLOCK)
    if (left < HEAD) {
      at += left
      continue
    }
    last = at
    at += HEAD + bytes.readUInt16LE(at + 4)
  }
  if (last === undefined) throw new Error('nothing was written into the log')
  return last
}
