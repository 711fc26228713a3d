import type { KubeObject, OwnerReference } from '../../core/object'
import { type LabelSelector, matchesLabels } from '../../selectors/labels'
import { type Client, isNotFound } from '../runtime/client'
import type { Stored } from '../runtime/stored'

export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)
}

export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid

export function controllerReference({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  return {
    apiVersion,
    kind,
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  }
}

export interface Claim {
  client: Client
  owner: KubeObject
  selector: LabelSelector
  /** Default: adopts all matching orphans. */
  adopts?(object: KubeObject): boolean
  /** More metadata of the adoption patch, for example finalizers. */
  withAdoption?(object: KubeObject): object
}

/**
 * Releases objects that no longer match, adopts orphans. A deleted owner neither adopts nor
 * releases.
 */
export async function claimed<Kind>(
  claim: Claim,
  candidates: Iterable<Stored<Kind>>,
): Promise<Stored<Kind>[]> {
  const { owner, selector, adopts } = claim
  const { uid, deletionTimestamp } = owner.metadata
  const mine: Stored<Kind>[] = []
  for (const object of candidates) {
    const controller = controllerOf(object)
    const matches = matchesLabels(selector, object.metadata.labels)
    if (controller !== undefined) {
      if (controller.uid !== uid) continue
      if (matches) mine.push(object)
      else if (!deletionTimestamp) await release(claim, object)
    } else if (
      matches &&
      !deletionTimestamp &&
      !object.metadata.deletionTimestamp &&
      (adopts?.(object) ?? true)
    ) {
      const taken = await adopt<Kind>(claim, object)
      if (taken !== undefined) mine.push(taken)
    }
  }
  return mine
}

async function adopt<Kind>(
  { client, owner, withAdoption }: Claim,
  object: Stored<Kind>,
): Promise<Stored<Kind> | undefined> {
  const metadata = {
    uid: object.metadata.uid,
    ownerReferences: [controllerReference(owner)],
    ...withAdoption?.(object),
  }
  return orGone(client.strategicMerge<Kind>(object, { metadata }))
}

async function release({ client, owner }: Claim, object: KubeObject): Promise<void> {
  const { uid } = object.metadata
  await orGone(
    client.strategicMerge(object, {
      metadata: { uid, ownerReferences: [{ $patch: 'delete', uid: owner.metadata.uid }] },
    }),
  )
}

async function orGone<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
