/** Formats values as `kubectl describe` prints them. */
import { NONE, UNSET } from '../../engine/encoding/tables/resource-table'

export { NONE, UNSET }

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Sat, 21 Nov 2026 18:39:23 +0000` in UTC. An absent time is year one, as in Go. */
export function longTime(time: string | null | undefined): string {
  if (!time) return 'Mon, 01 Jan 0001 00:00:00 +0000'
  const date = new Date(time)
  const day = String(date.getUTCDate()).padStart(2, '0')
  return `${DAYS[date.getUTCDay()]}, ${day} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} ${date.toISOString().slice(11, 19)} +0000`
}

export const orNone = (text: string | undefined): string => text || NONE

/** A pointer to a value that may be missing. */
export const orUnset = (value: string | number | boolean | null | undefined): string =>
  value === undefined || value === null ? UNSET : String(value)

/** `True` or `False`, as in conditions. */
export const titleBoolean = (value: boolean | undefined): string => (value ? 'True' : 'False')

export const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export function sortedEntries<Value>(map: Record<string, Value> | undefined): [string, Value][] {
  return Object.entries(map ?? {}).sort(([a], [b]) => byName(a, b))
}

/** `a=b` for each entry, sorted. */
export const pairsOf = (map: Record<string, string> | undefined): string[] =>
  sortedEntries(map).map(([key, value]) => `${key}=${value}`)
