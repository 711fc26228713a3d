/** What a change does to the objects that a cluster has. */
import type { KubeObject } from '../../engine/core/object'
import { nameOf } from '../manifests/read'
import type { Rehearsal } from '../rehearsal/rehearsal'
import type { Finding } from './findings'

/** Stored objects of other versions stay in etcd, and no request reaches them. */
export function notServed({ missing }: Rehearsal): Finding[] {
  return missing.map(({ object, message }) => ({
    level: 'error',
    rule: 'NotServed',
    object: nameOf(object),
    message,
  }))
}

/** Objects that the cluster would reject now, by a new policy, definition or quota. */
export async function rejectedNow(
  rehearsal: Rehearsal,
  objects: readonly KubeObject[],
): Promise<Finding[]> {
  const gone = new Set(rehearsal.missing.map(({ object }) => object))
  const findings: Finding[] = []
  for (const object of objects) {
    if (gone.has(object)) continue
    const { update, create } = await rehearsal.tryAgain(object)
    if (update.code >= 300)
      findings.push({
        level: 'error',
        rule: 'UpdateRejected',
        object: nameOf(object),
        message: update.message,
      })
    else if (create.code >= 300)
      findings.push({
        level: 'warning',
        rule: 'CreateRejected',
        object: nameOf(object),
        message: create.message,
      })
  }
  return findings
}
