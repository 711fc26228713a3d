/**
 * How versions lie in the database: the newest each in a row of its own, as they were committed; what an earlier start found lying
 * so, many to a page. A start reads some hundred pages many times faster than ten thousand rows, and texts faster than objects.
 */

import type { KubeObject } from '../engine/object'
import type { CommittedChange, LoadedChange } from '../engine/storage/backend'
import type { VersionId } from '../engine/storage/versions'

export interface VersionRow extends Omit<LoadedChange, 'object'> {
  /** The object's canonical JSON; absent: deleted. */
  json?: string
  /** Instead of it in rows that an earlier page wrote, whose layout was the first. */
  object?: KubeObject
}

/** Versions that follow one another. It lies under the last one's revision and key, which stay should that one be forgotten. */
export interface PageRow {
  revision: number
  key: string
  rows: VersionRow[]
}

/**
 * So much text is in a page, but for one object that is larger. Chromium hands out what is larger than 64 KiB in one piece, and all
 * else ten times slower; a change in the midst of a page, which history forgets, has all of it written again.
 */
const PAGE_CHARACTERS = 200_000

export function rowOf({ object, ...rest }: CommittedChange): VersionRow {
  return object === undefined ? rest : { ...rest, json: JSON.stringify(object) }
}

/** @param row that is sound */
export function changeOf({ json, object, ...rest }: VersionRow): LoadedChange {
  return { ...rest, object: json ?? object }
}

/** Whether a row has its shape. The text itself is believed, as everything is that the database's own checks let through. */
export function isSound({ createRevision, json, object }: Partial<VersionRow>): boolean {
  if (typeof createRevision !== 'number') return false
  if (json !== undefined)
    return typeof json === 'string' && json.startsWith('{') && json.endsWith('}')
  return object === undefined || typeof object?.metadata === 'object'
}

/** @param rows in order */
export function pagesOf(rows: readonly VersionRow[]): PageRow[] {
  const pages: PageRow[] = []
  let begun: VersionRow[] = []
  let characters = 0
  const close = () => {
    const last = begun.at(-1)
    if (last) pages.push({ revision: last.revision, key: last.key, rows: begun })
    begun = []
    characters = 0
  }
  for (const row of rows.map(asText)) {
    const length = row.json?.length ?? 0
    if (characters + length > PAGE_CHARACTERS) close()
    begun.push(row)
    characters += length
  }
  close()
  return pages
}

const asText = (row: VersionRow): VersionRow =>
  row.object === undefined ? row : rowOf({ ...row, object: row.object })

/** Takes versions out of a page. @returns what is left of it */
export function without({ revision, key, rows }: PageRow, versions: readonly VersionId[]): PageRow {
  const gone = new Set(versions.map(nameOf))
  return { revision, key, rows: rows.filter((row) => !gone.has(nameOf(row))) }
}

const nameOf = ({ revision, key }: VersionId): string => `${revision} ${key}`

/** In the order of the database's keys. */
export function compareIds(one: VersionId, other: VersionId): number {
  if (one.revision !== other.revision) return one.revision - other.revision
  if (one.key === other.key) return 0
  return one.key < other.key ? -1 : 1
}
