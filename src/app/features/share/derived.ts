import type { KubeObject } from '../../../engine/core/object'

/** Field managers of components that recreate their objects. */
const MACHINERY =
  /^(?:kube-apiserver|kube-controller-manager|kube-scheduler|kubelet|kube-proxy|clusterrole-aggregation-controller|api-priority-and-fairness-config-.*)$/

/**
 * Objects that components do not recreate, and their owners: a Deployment but not its Pods; a Pod
 * that a user labeled, and its ReplicaSet.
 */
export function withoutDerived(objects: readonly KubeObject[]): KubeObject[] {
  const byUid = new Map(objects.map((object) => [object.metadata.uid, object]))
  const kept = new Set<KubeObject>()
  const keep = (object: KubeObject | undefined) => {
    if (object === undefined || kept.has(object)) return
    kept.add(object)
    for (const { uid } of (object.metadata.ownerReferences ?? []) as { uid: string }[])
      keep(byUid.get(uid))
  }
  for (const object of objects) {
    const managers = object.metadata.managedFields ?? []
    if (managers.some(({ manager }) => !MACHINERY.test(manager ?? ''))) keep(object)
  }
  return objects.filter((object) => kept.has(object))
}
