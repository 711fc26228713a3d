/** Two references to one owner are folded into the first, with a warning (recorded). */
import type { ObjectMeta } from '../object'

export function dedupOwnerReferences(meta: ObjectMeta, warn: (text: string) => void): void {
  const owners = meta.ownerReferences
  if (owners === undefined || owners.length < 2) return
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const kept = owners.filter((owner) => {
    if (!seen.has(owner.uid)) return seen.add(owner.uid)
    repeated.add(owner.uid)
    return false
  })
  if (repeated.size === 0) return
  meta.ownerReferences = kept
  warn(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  )
}
