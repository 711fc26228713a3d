/** Columns are generated tables; `Name` and `Age` are filled in everywhere. */
import type { Json, JsonObject, KubeObject } from '../../core/object'
import type { Changes } from '../../release-tables/changes'
import { since } from '../duration'

export type Cells = Record<string, Json>

export interface ResourceTable {
  /** Must accept a bookmark's object, which has only a version. `now` in milliseconds. */
  cells(object: KubeObject, now: number, changes: Changes): Cells
  conditions?(object: KubeObject): JsonObject[] | undefined
  order?(a: KubeObject, b: KubeObject): number
  /** Without objects `rows` is null. */
  nullIfEmpty?: boolean
  /** A last cell for which kube-apiserver sends no column. */
  hasUnnamedAge?: boolean
}

export type ResourceTables = Record<string, ResourceTable>

/** The only cast of a stored object to `T`. */
export function table<T>(
  cells: (object: T, now: number, changes: Changes) => Cells,
  more: Omit<ResourceTable, 'cells'> = {},
): ResourceTable {
  return {
    cells: (object, now, changes) => cells(object as unknown as T, now, changes),
    ...more,
  }
}

/** Go's unset time. */
export const BEGINNING = '0001-01-01T00:00:00Z'

export const NONE = '<none>'
export const UNSET = '<unset>'
export const UNKNOWN = '<unknown>'

export function age(
  object: { metadata?: { creationTimestamp?: string | null } },
  now: number,
): string {
  return since(object.metadata?.creationTimestamp, now)
}

export function count(members: object | undefined | null): number {
  return members ? Object.keys(members).length : 0
}

/** `a-b=1` comes before `a=1`. */
export function labelsText(labels: Record<string, string> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`)
  return pairs.sort().join(',') || NONE
}

/** `a,b,c + 2 more...` */
export function firstOf(texts: string[], most: number, separator = ','): string {
  if (texts.length <= most) return texts.join(separator)
  return `${texts.slice(0, most).join(separator)} + ${texts.length - most} more...`
}

export function containerCells(
  template: { spec?: { containers?: { name: string; image?: string }[] } } | undefined,
): Cells {
  const containers = template?.spec?.containers ?? []
  return {
    Containers: containers.map(({ name }) => name).join(','),
    Images: containers.map(({ image }) => image ?? '').join(','),
  }
}
