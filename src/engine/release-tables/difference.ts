/**
 * What one JSON value has otherwise than another: facts of a release are kept as differences from the release before.
 * scripts/compile-facts/find-difference.ts finds them.
 */
import { isJsonObject, type Json, type JsonObject, setMember } from '../object'

export type Difference =
  /** Another value altogether. */
  | { value: Json }
  /** Members that are other or new, those that are gone, and the order of all where it is not that of before with new ones last. */
  | { members: Record<string, Difference>; gone?: string[]; order?: string[] }
  /** The items: the place of an item before, or that and its difference, or a new one. */
  | { items: (number | [place: number, difference: Difference] | { value: Json })[] }

/** @returns the later value; parts that are the same are shared with the one before */
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
