/** The owners of an object, and what it owns. */
import type { Health } from '../../state/health/health'
import type { OwnerReference } from '../../state/tree-object'
import type { SelectedObject } from '../../state/view'

export interface RelatedObject extends SelectedObject {
  uid: string
  owners: readonly OwnerReference[]
  health: Health | undefined
}

export interface Related {
  /** The controller's owner first. */
  owners: RelatedObject[]
  /** References to objects that do not exist, or that the user may not list. */
  missing: OwnerReference[]
  dependents: Dependent[]
  truncated: boolean
}

export interface Dependent {
  object: RelatedObject
  dependents: Dependent[]
}

/** Bounds the rows of the view. */
const MOST = 300

export function relatedOf(
  { uid, owners }: { uid: string; owners: readonly OwnerReference[] },
  all: readonly RelatedObject[],
): Related {
  const byUid = new Map(all.map((object) => [object.uid, object]))
  const found: RelatedObject[] = []
  const missing: OwnerReference[] = []
  const seen = new Set([uid])
  let level = owners
  while (level.length > 0) {
    const next: OwnerReference[] = []
    for (const reference of level) {
      if (seen.has(reference.uid)) continue
      seen.add(reference.uid)
      const owner = byUid.get(reference.uid)
      if (owner === undefined) missing.push(reference)
      else {
        found.push(owner)
        next.push(...owner.owners)
      }
    }
    level = next
  }
  return { owners: found, missing, ...dependentsOf(uid, all) }
}

function dependentsOf(
  root: string,
  all: readonly RelatedObject[],
): Pick<Related, 'dependents' | 'truncated'> {
  const byOwner = new Map<string, RelatedObject[]>()
  for (const object of all)
    for (const owner of object.owners) {
      const siblings = byOwner.get(owner.uid)
      if (siblings) siblings.push(object)
      else byOwner.set(owner.uid, [object])
    }
  // Owner references may form a circle.
  const seen = new Set([root])
  let truncated = false
  const below = (uid: string): Dependent[] =>
    (byOwner.get(uid) ?? []).flatMap((object) => {
      if (seen.has(object.uid)) return []
      if (seen.size > MOST) {
        truncated = true
        return []
      }
      seen.add(object.uid)
      return [{ object, dependents: below(object.uid) }]
    })
  const dependents = below(root)
  return { dependents, truncated }
}
