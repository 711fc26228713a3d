/**
 * From an object to its cells; columns are generated tables. `Name` and `Age` are filled in for
 * every resource.
 */
import type { Json, JsonObject, KubeObject } from '../../core/object'
import type { Changes } from '../../release-tables/changes'
import { since } from '../duration'

export type Cells = Record<string, Json>

export interface ResourceTable {
  /**
   * By column name. Must also accept a bookmark's object, which has only a version. `now` in
   * milliseconds since the epoch.
   */
  cells(object: KubeObject, now: number, changes: Changes): Cells
  /** Set for finished pods. */
  conditions?(object: KubeObject): JsonObject[] | undefined
  /** Replaces the order of the list. */
  order?(a: KubeObject, b: KubeObject): number
  /** Without objects `rows` is null. */
  nullIfEmpty?: boolean
  /** A cell after the last column, for which kube-apiserver sends no column. */
  hasUnnamedAge?: boolean
}

/** By qualified resource: `pods`, `deployments.apps`. */
export type ResourceTables = Record<string, ResourceTable>

/** The only type assertion from a stored object to the kind `T`. */
export function table<T>(
  cells: (object: T, now: number, changes: Changes) => Cells,
  more: Omit<ResourceTable, 'cells'> = {},
): ResourceTable {
  return {
    cells: (object, now, changes) => cells(object as unknown as T, now, changes),
    ...more,
  }
}

/** An unset time, as Go writes it. */
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

/** Sorted as whole texts: `a-b=1` comes before `a=1`. */
export function labelsText(labels: Record<string, string> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`)
  return pairs.sort().join(',') || NONE
}

/** `a,b,c + 2 more...` */
export function firstOf(texts: string[], most: number, separator = ','): string {
  if (texts.length <= most) return texts.join(separator)
  return `${texts.slice(0, most).join(separator)} + ${texts.length - most} more...`
}

/** Names and images. */
export function containerCells(
  template: { spec?: { containers?: { name: string; image?: string }[] } } | undefined,
): Cells {
  const containers = template?.spec?.containers ?? []
  return {
    Containers: containers.map(({ name }) => name).join(','),
    Images: containers.map(({ image }) => image ?? '').join(','),
  }
}
