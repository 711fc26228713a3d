import type { KubeObject, OwnerReference } from '../../core/object'

export interface Dependent {
  key: string
  object: KubeObject
}

const NO_DEPENDENTS: readonly Dependent[] = []

export class Dependents {
  private readonly byOwner = new Map<string, Map<string, Dependent>>()

  of(ownerUid: string | undefined): readonly Dependent[] {
    const found = this.byOwner.get(ownerUid ?? '')
    return found ? [...found.values()] : NO_DEPENDENTS
  }

  /** @param object undefined if deleted */
  follow(key: string, object: KubeObject | undefined, previous: KubeObject | undefined): void {
    const owners = object?.metadata.ownerReferences ?? []
    for (const { uid } of previous?.metadata.ownerReferences ?? []) {
      if (!owners.some((owner) => owner.uid === uid)) this.remove(uid, key)
    }
    if (object === undefined) return
    for (const { uid } of owners) {
      const known = this.byOwner.get(uid)
      if (known === undefined) this.byOwner.set(uid, new Map([[key, { key, object }]]))
      else known.set(key, { key, object })
    }
  }

  private remove(uid: string, key: string): void {
    const known = this.byOwner.get(uid)
    known?.delete(key)
    if (known?.size === 0) this.byOwner.delete(uid)
  }
}

export function referenceTo(
  { metadata }: KubeObject,
  ownerUid: string | undefined,
): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ uid }) => uid === ownerUid)
}
