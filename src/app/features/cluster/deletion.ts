/**
 * Previews the effect of each propagation policy on dependents (kubernetes.io, "Garbage
 * Collection").
 */
import { FATES } from './texts'

export type Propagation = 'Background' | 'Foreground' | 'Orphan'

export interface OwnerReference {
  uid: string
  kind: string
  name: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface Owned {
  uid: string
  kind: string
  namespace: string
  name: string
  owners: readonly OwnerReference[]
  finalizers: readonly string[]
}

export type Fate =
  /** Deleted: the object itself, or with its owner. */
  | 'goes'
  /** The object remains and loses this owner reference. */
  | 'orphaned'
  /** The object remains because of another owner. */
  | 'stays'

export interface OwnedTree {
  object: Owned
  fate: Fate
  note: string
  dependents: OwnedTree[]
}

export function deletionOf(
  object: Owned,
  all: readonly Owned[],
  propagation: Propagation,
): OwnedTree {
  const byOwner = new Map<string, Owned[]>()
  for (const other of all)
    for (const { uid } of other.owners) byOwner.set(uid, [...(byOwner.get(uid) ?? []), other])
  const going = propagation === 'Orphan' ? new Set([object.uid]) : goingWith(object, byOwner)
  return treeOf(object, { byOwner, going, propagation, seen: new Set() })
}

function goingWith(object: Owned, byOwner: ReadonlyMap<string, Owned[]>): ReadonlySet<string> {
  const going = new Set([object.uid])
  for (const uid of going) {
    for (const dependent of byOwner.get(uid) ?? [])
      if (dependent.owners.every((owner) => going.has(owner.uid))) going.add(dependent.uid)
  }
  return going
}

interface Walk {
  byOwner: ReadonlyMap<string, Owned[]>
  going: ReadonlySet<string>
  propagation: Propagation
  seen: Set<string>
}

function treeOf(object: Owned, walk: Walk, owner?: Owned): OwnedTree {
  const { byOwner, going, propagation, seen } = walk
  seen.add(object.uid)
  const fate: Fate = going.has(object.uid)
    ? 'goes'
    : propagation === 'Orphan' && owner !== undefined
      ? 'orphaned'
      : 'stays'
  // Orphans keep their own dependents.
  const below =
    fate === 'goes' ? (byOwner.get(object.uid) ?? []).filter(({ uid }) => !seen.has(uid)) : []
  return {
    object,
    fate,
    note: noteOf(object, fate, propagation, owner),
    dependents: below.map((dependent) => treeOf(dependent, walk, object)),
  }
}

function noteOf(
  { finalizers, owners }: Owned,
  fate: Fate,
  propagation: Propagation,
  owner: Owned | undefined,
): string {
  if (fate === 'stays') return FATES.otherOwner
  if (fate === 'orphaned') return FATES.withoutOwner
  const held = finalizers.length > 0 ? FATES.blocked(finalizers.join(', '), finalizers.length) : ''
  if (owner === undefined) return held
  const blocks = owners.find(({ uid }) => uid === owner.uid)?.blockOwnerDeletion ?? false
  const order =
    propagation === 'Foreground'
      ? blocks
        ? FATES.beforeOwner
        : FATES.beforeOwnerOnly
      : FATES.afterOwner
  return [order, held].filter(Boolean).join('; ')
}

/** Excludes the object itself. */
export function countFates({ dependents }: OwnedTree): Record<Fate, number> {
  const counts: Record<Fate, number> = { goes: 0, orphaned: 0, stays: 0 }
  const count = (trees: readonly OwnedTree[]): void => {
    for (const { fate, dependents: below } of trees) {
      counts[fate]++
      count(below)
    }
  }
  count(dependents)
  return counts
}
