/** What an applier stops naming goes, unless somebody else owns it (document 1, "Server-side apply", rule 2). */
import type { JsonObject } from '../object'
import type { StructType } from '../schema/model'
import { fieldSetOf } from './compare'
import { difference, EMPTY, type FieldSet, intersection, isEmpty, union } from './field-set'
import type { Managers } from './managed-fields'
import { removePaths, withNamedFields } from './merge'

/**
 * @param merged live and applied values together
 * @param last what the applier owned before this apply; undefined or empty: nothing can go
 */
export function prune(merged: JsonObject, managers: Managers, last: FieldSet | undefined, type: StructType): JsonObject {
  if (last === undefined || isEmpty(last)) return merged
  const lastNamed = withNamedFields(last, type)
  const pruned = removePaths(merged, lastNamed, type)
  const mergedSet = withNamedFields(fieldSetOf(merged, type), type)
  // What anybody owns now, this applier included, comes back.
  let owned: FieldSet = EMPTY
  for (const manager of managers.values()) owned = union(owned, manager.fields)
  const afterOwners = removed(merged, difference(difference(mergedSet, namedSetOf(pruned, type)), withNamedFields(owned, type)), type)
  // What nobody owned before was never this applier's to remove.
  return removed(merged, intersection(difference(mergedSet, namedSetOf(afterOwners, type)), lastNamed), type)
}

function namedSetOf(value: unknown, type: StructType): FieldSet {
  return withNamedFields(fieldSetOf(value as JsonObject, type), type)
}

function removed(value: JsonObject, paths: FieldSet, type: StructType): JsonObject {
  return isEmpty(paths) ? value : ((removePaths(value, paths, type) ?? {}) as JsonObject)
}
