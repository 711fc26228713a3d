/**
 * Decides which fields of an apply conflict with other field managers. A field conflicts if another
 * manager owns it and the apply changes its value. See sigs.k8s.io/structured-merge-diff,
 * merge/update.go.
 */
import type { JsonObject } from '../core/object'
import type { StructType } from '../schema/model'
import { hasPath, intersection, pathsOf, union } from './field-set'
import { KUBECTL, unchangedSinceLastApplied } from './last-applied'
import type { Manager, Managers } from './managed-fields'
import type { Change } from './ownership'
import type { Path } from './path-elements'

export interface Conflict {
  manager: Manager
  path: Path
}

/**
 * @param self identity of the applying manager
 * @returns in order of the managers' identities
 */
export function conflictsOf(managers: Managers, self: string, change: Change): Conflict[] {
  const conflicts: Conflict[] = []
  for (const identity of [...managers.keys()].sort()) {
    const manager = managers.get(identity)
    const changes =
      manager === undefined || identity === self ? undefined : change.in(manager.apiVersion)
    if (manager === undefined || changes === undefined) continue
    const changed = union(changes.modified, changes.added)
    for (const path of pathsOf(intersection(manager.fields, changed)))
      conflicts.push({ manager, path })
  }
  return conflicts
}

/** Removes conflicts of kubectl with its own client-side applies. */
export function withoutOwnUpdates(
  conflicts: Conflict[],
  applied: { manager: string; apiVersion: string; type: StructType },
  live: JsonObject,
): Conflict[] {
  const { manager, apiVersion, type } = applied
  if (conflicts.length === 0 || manager !== KUBECTL) return conflicts
  const own = unchangedSinceLastApplied(live, apiVersion, type)
  return own === undefined ? conflicts : conflicts.filter(({ path }) => !hasPath(own, path))
}
