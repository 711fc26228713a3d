/**
 * Differences between JSON values. The tables of a release are stored as differences from the
 * previous release, which scripts/compile-facts/find-difference.ts computes.
 */
import { isJsonObject, type Json, type JsonObject, setMember } from '../core/object'

export type Difference =
  /** A replacement of the whole value. */
  | { value: Json }
  /**
   * Changed and new members, removed members, and the order of all. Absent: the previous order with
   * new members last.
   */
  | { members: Record<string, Difference>; gone?: string[]; order?: string[] }
  /** The items: the index of a previous item, an index with a difference, or a new value. */
  | { items: (number | [place: number, difference: Difference] | { value: Json })[] }

/** @returns the later value, which shares unchanged parts with the earlier one */
export function applied(before: Json | undefined, difference: Difference): Json {
  if ('value' in difference) return difference.value
  if ('items' in difference) return appliedToItems(Array.isArray(before) ? before : [], difference)
  return appliedToMembers(isJsonObject(before) ? before : {}, difference)
}

function appliedToItems(
  before: readonly Json[],
  { items }: Extract<Difference, { items: unknown }>,
): Json[] {
  return items.map((item) => {
    if (typeof item === 'number') return before[item] as Json
    return Array.isArray(item) ? applied(before[item[0]], item[1]) : item.value
  })
}

function appliedToMembers(
  before: JsonObject,
  { members, gone = [], order }: Extract<Difference, { members: unknown }>,
): JsonObject {
  const after: JsonObject = { ...before }
  for (const name of gone) delete after[name]
  for (const [name, difference] of Object.entries(members))
    setMember(after, name, applied(before[name], difference))
  if (order === undefined) return after
  return Object.fromEntries(order.map((name) => [name, after[name] as Json]))
}
