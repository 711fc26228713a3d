/**
 * Removes fields that an applier omits and no other manager owns. See
 * sigs.k8s.io/structured-merge-diff, merge/update.go, `prune`.
 */
import type { JsonObject } from '../core/object'
import type { StructType } from '../schema/model'
import { fieldSetOf } from './compare'
import {
  difference,
  EMPTY,
  type FieldSet,
  intersection,
  isEmpty,
  isSubset,
  union,
} from './field-set'
import type { Managers } from './managed-fields'
import { removePaths, withNamedFields } from './remove'
import type { Versions } from './versions'

const PRUNING = 'failed to prune fields: '
const RETURNING = `${PRUNING}failed add back owned items: `

export interface LastApplied {
  fields: FieldSet
  apiVersion: string
}

/**
 * @param managers with the fields of this apply
 * @throws ApiError 500 if the object does not fit a manager's version
 */
export function prune(
  merged: JsonObject,
  managers: Managers,
  last: LastApplied | undefined,
  applied: FieldSet,
  versions: Versions,
): JsonObject {
  if (last === undefined || isEmpty(last.fields)) return merged
  const { apiVersion: own } = versions
  const isAlone = [...managers.values()].every(({ apiVersion }) => apiVersion === own)
  if (last.apiVersion === own && isSubset(last.fields, applied) && isAlone) return merged
  const type = versions.typeOf(last.apiVersion)
  if (type === undefined) return merged
  const whole = versions.convert(
    merged,
    own,
    last.apiVersion,
    `${PRUNING}failed to convert merged object to last applied version: `,
  )
  const lastNamed = withNamedFields(last.fields, type)
  const kept = withOwned(
    whole,
    removed(whole, lastNamed, type),
    last.apiVersion,
    managers,
    versions,
  )
  // Only fields of this manager's last apply may be removed.
  const dangling = intersection(
    difference(namedSetOf(whole, type), namedSetOf(kept, type)),
    lastNamed,
  )
  // Drops members unknown to the last apply's version. Compared with kube-apiserver 1.31.
  return versions.convert(
    isEmpty(dangling) ? whole : removed(whole, dangling, type),
    last.apiVersion,
    own,
    PRUNING,
  )
}

/** Restores fields that others own. @param from the version of both objects, and of the result */
function withOwned(
  merged: JsonObject,
  pruned: JsonObject,
  from: string,
  managers: Managers,
  versions: Versions,
): JsonObject {
  const ownedIn = new Map([[from, EMPTY]])
  for (const { apiVersion, fields } of managers.values())
    ownedIn.set(apiVersion, union(ownedIn.get(apiVersion) ?? EMPTY, fields))
  let [whole, rest, version] = [merged, pruned, from]
  for (const [apiVersion, owned] of ownedIn) {
    const type = versions.typeOf(apiVersion)
    if (type === undefined) continue
    const seen = (object: JsonObject, which: string) =>
      versions.convert(
        object,
        version,
        apiVersion,
        `${RETURNING}failed to convert ${which} object at version ${apiVersion}: `,
      )
    whole = seen(whole, 'merged')
    const gone = difference(namedSetOf(whole, type), namedSetOf(seen(rest, 'pruned'), type))
    rest = removed(whole, difference(gone, withNamedFields(owned, type)), type)
    version = apiVersion
  }
  return versions.convert(
    rest,
    version,
    from,
    `${RETURNING}failed to convert pruned object to last applied version: `,
  )
}

function namedSetOf(value: JsonObject, type: StructType): FieldSet {
  return withNamedFields(fieldSetOf(value, type), type)
}

function removed(value: JsonObject, paths: FieldSet, type: StructType): JsonObject {
  return (removePaths(value, paths, type) ?? {}) as JsonObject
}
