/**
 * The rows of versions in the database. Recent versions have one row each; a later start packs them
 * into pages. Reading a hundred pages is many times faster than reading ten thousand rows, and text
 * is faster than objects.
 */

import type { KubeObject } from '../engine/core/object'
import type { CommittedChange, LoadedChange } from '../engine/storage/backend'
import type { VersionId } from '../engine/storage/versions'

export interface VersionRow extends Omit<LoadedChange, 'object'> {
  /** Canonical JSON; absent: deleted. */
  json?: string
  /** In rows of the first schema version, instead of `json`. */
  object?: KubeObject
}

/**
 * Consecutive versions. The key of a page is that of the last version, even after its compaction.
 */
export interface PageRow {
  revision: number
  key: string
  rows: VersionRow[]
}

/**
 * Maximum characters of a page, unless one object is larger. Chromium returns values below 64 KiB
 * ten times slower. A larger page costs more when compaction rewrites it.
 */
const PAGE_CHARACTERS = 200_000

export function rowOf({ object, ...rest }: CommittedChange): VersionRow {
  return object === undefined ? rest : { ...rest, json: JSON.stringify(object) }
}

/** @param row for which `isSound` is true */
export function changeOf({ json, object, ...rest }: VersionRow): LoadedChange {
  return { ...rest, object: json ?? object }
}

/** Checks the shape of a row. The JSON text is trusted, as the database has checksums. */
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

/** @returns the page without the versions */
export function without({ revision, key, rows }: PageRow, versions: readonly VersionId[]): PageRow {
  const gone = new Set(versions.map(nameOf))
  return { revision, key, rows: rows.filter((row) => !gone.has(nameOf(row))) }
}

const nameOf = ({ revision, key }: VersionId): string => `${revision} ${key}`

/** The order of the database's keys. */
export function compareIds(one: VersionId, other: VersionId): number {
  if (one.revision !== other.revision) return one.revision - other.revision
  if (one.key === other.key) return 0
  return one.key < other.key ? -1 : 1
}
