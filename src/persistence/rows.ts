/**
 * The rows of versions in the database. Recent versions have one row each; a later start packs them into pages. Reading
 * a hundred pages is many times faster than reading ten thousand rows, and text is faster than objects.
 */

import type { KubeObject } from '../engine/core/object'
import type { CommittedChange, LoadedChange } from '../engine/storage/backend'
import type { VersionId } from '../engine/storage/versions'

export interface VersionRow extends Omit<LoadedChange, 'object'> {
  /** The object's canonical JSON; absent: deleted. */
  json?: string
  /** In rows of the first schema version, instead of `json`. */
  object?: KubeObject
}

/** Consecutive versions. The key of the page is the last version's, even after that one is compacted. */
export interface PageRow {
  revision: number
  key: string
  rows: VersionRow[]
}

/**
 * The most text in a page, except for a page of one larger object. Chromium returns values above 64 KiB in one piece and
 * smaller ones ten times slower. A larger page costs more when compaction rewrites it.
 */
const PAGE_CHARACTERS = 200_000

export function rowOf({ object, ...rest }: CommittedChange): VersionRow {
  return object === undefined ? rest : { ...rest, json: JSON.stringify(object) }
}

/** @param row for which `isSound` is true */
export function changeOf({ json, object, ...rest }: VersionRow): LoadedChange {
  return { ...rest, object: json ?? object }
}

/** Whether a row has the expected shape. The JSON text is trusted, as the database has checksums. */
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

/** Removes versions from a page. @returns the remaining page */
export function without({ revision, key, rows }: PageRow, versions: readonly VersionId[]): PageRow {
  const gone = new Set(versions.map(nameOf))
  return { revision, key, rows: rows.filter((row) => !gone.has(nameOf(row))) }
}

const nameOf = ({ revision, key }: VersionId): string => `${revision} ${key}`

/** Compares in the order of the database's keys. */
export function compareIds(one: VersionId, other: VersionId): number {
  if (one.revision !== other.revision) return one.revision - other.revision
  if (one.key === other.key) return 0
  return one.key < other.key ? -1 : 1
}
