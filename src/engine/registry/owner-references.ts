/** Merges duplicates, with a warning. Recorded from kube-apiserver 1.31. */
import type { ObjectMeta, OwnerReference } from '../core/object'

export function dedupOwnerReferences(
  meta: ObjectMeta,
  warn: (text: string) => void,
  when: 'as sent' | 'after admission',
): void {
  const owners = meta.ownerReferences
  if (owners === undefined || owners.length < 2) return
  const kept: typeof owners = []
  const repeated: string[] = []
  const known = new Set<string>()
  for (const owner of owners) {
    const key = keyOf(owner)
    if (known.has(key)) repeated.push(owner.uid)
    else kept.push(owner)
    known.add(key)
  }
  if (repeated.length === 0) return
  meta.ownerReferences = kept
  const since = when === 'as sent' ? '' : ' after mutating admission happens'
  warn(
    `.metadata.ownerReferences contains duplicate entries${since}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  )
}

function keyOf({
  apiVersion,
  kind,
  name,
  uid,
  controller,
  blockOwnerDeletion,
}: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion])
}
