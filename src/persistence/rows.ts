/**
 * Recent versions have a row each; later starts pack them into pages. A hundred pages load many
 * times faster than ten thousand rows, and text faster than objects.
 */

import type { KubeObject } from '../engine/core/object'
import type { CommittedChange, LoadedChange } from '../engine/storage/backend'
import type { VersionId } from '../engine/storage/versions'

export interface VersionRow extends Omit<LoadedChange, 'object'> {
  /** Canonical JSON; absent: deleted. */
  json?: string
  /** In the first schema version, instead of `json`. */
  object?: KubeObject
}

/** Consecutive versions under the key of the last one, even after its compaction. */
export interface PageRow {
  revision: number
  key: string
  rows: VersionRow[]
}

/**
 * Maximum characters, unless one object is larger. Chromium returns values below 64 KiB ten times
 * slower; larger pages make compaction cost more.
 */
const PAGE_CHARACTERS = 200_000

export function rowOf({ object, ...rest }: CommittedChange): VersionRow {
  return object === undefined ? rest : { ...rest, json: JSON.stringify(object) }
}

/** @param row for which `isSound` is true */
export function changeOf({ json, object, ...rest }: VersionRow): LoadedChange {
  return { ...rest, object: json ?? object }
}

/** Trusts the JSON text: the database has checksums. */
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
