/** What an applier stops naming goes, unless somebody else owns it (document 1, "Server-side apply", rule 2). */
import type { JsonObject } from '../object'
import type { StructType } from '../schema/model'
import { fieldSetOf } from './compare'
import { difference, EMPTY, type FieldSet, intersection, isEmpty, isSubset, union } from './field-set'
import type { Managers } from './managed-fields'
import { removePaths, withNamedFields } from './remove'
import type { Versions } from './versions'

/** What the applier owned before this apply, and through which version. */
export interface LastApplied {
  fields: FieldSet
  apiVersion: string
}

/**
 * @param merged live and applied values together
 * @param managers everybody's fields, those of this apply included
 * @param applied the fields of this apply
 */
export function prune(
  merged: JsonObject,
  managers: Managers,
  last: LastApplied | undefined,
  applied: FieldSet,
  versions: Versions,
): JsonObject {
  if (last === undefined || isEmpty(last.fields)) return merged
  if (last.apiVersion === versions.apiVersion && isSubset(last.fields, applied)) return merged
  const type = versions.typeOf(last.apiVersion)
  if (type === undefined) return merged
  const whole = versions.convert(merged, last.apiVersion)
  const lastNamed = withNamedFields(last.fields, type)
  const bare = versions.convertBack(removed(whole, lastNamed, type), last.apiVersion)
  const kept = versions.convert(withOwned(merged, bare, managers, versions), last.apiVersion)
  // What nobody owned before was never this applier's to remove.
  const dangling = intersection(difference(namedSetOf(whole, type), namedSetOf(kept, type)), lastNamed)
  return isEmpty(dangling) ? merged : versions.convertBack(removed(whole, dangling, type), last.apiVersion)
}

/** Brings back what anybody owns, version by version. */
function withOwned(merged: JsonObject, pruned: JsonObject, managers: Managers, versions: Versions): JsonObject {
  const ownedIn = new Map<string, FieldSet>()
  for (const { apiVersion, fields } of managers.values()) ownedIn.set(apiVersion, union(ownedIn.get(apiVersion) ?? EMPTY, fields))
  let result = pruned
  for (const [apiVersion, owned] of ownedIn) {
    const type = versions.typeOf(apiVersion)
    if (type === undefined) continue
    const whole = versions.convert(merged, apiVersion)
    const gone = difference(namedSetOf(whole, type), namedSetOf(versions.convert(result, apiVersion), type))
    result = versions.convertBack(removed(whole, difference(gone, withNamedFields(owned, type)), type), apiVersion)
  }
  return result
}

function namedSetOf(value: JsonObject, type: StructType): FieldSet {
  return withNamedFields(fieldSetOf(value, type), type)
}

function removed(value: JsonObject, paths: FieldSet, type: StructType): JsonObject {
  return (removePaths(value, paths, type) ?? {}) as JsonObject
}
