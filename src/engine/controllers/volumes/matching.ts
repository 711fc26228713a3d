/**
 * The scheduler uses these too.
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding
 */

import type { Node, PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1'
import { compareQuantities, parseQuantity } from '../../schema/quantity'
import { matchesLabels } from '../../selectors/labels'
import type { Stored } from '../runtime/stored'
import { matchesSelector } from '../shared/node-affinity'
import { requirementsOf } from '../shared/selectors'

export type Volume = Stored<PersistentVolume>
export type Claim = Stored<PersistentVolumeClaim>

const CLASS = 'volume.beta.kubernetes.io/storage-class'

export const classOf = ({ metadata, spec }: Claim | Volume): string =>
  metadata.annotations?.[CLASS] ?? spec?.storageClassName ?? ''

/** Whether the volume is reserved for the claim: by name, and by uid if present. */
export function isPromisedTo({ spec }: Volume, { metadata }: Claim): boolean {
  const { namespace, name, uid } = spec?.claimRef ?? {}
  return (
    namespace === metadata.namespace && name === metadata.name && (!uid || uid === metadata.uid)
  )
}

/** @returns undefined if it matches @param anyClass ignores storage classes */
export function mismatch(volume: Volume, claim: Claim, anyClass = false): string | undefined {
  const wanted = claim.spec?.resources?.requests?.storage ?? '0'
  if (
    compareQuantities(parseQuantity(volume.spec?.capacity?.storage ?? '0'), parseQuantity(wanted)) <
    0
  )
    return 'requested PV is too small'
  if (!anyClass && classOf(volume) !== classOf(claim)) return 'storageClassName does not match'
  if ((volume.spec?.volumeMode ?? 'Filesystem') !== (claim.spec?.volumeMode ?? 'Filesystem'))
    return 'incompatible volumeMode'
  const modes = volume.spec?.accessModes ?? []
  return (claim.spec?.accessModes ?? []).every((mode) => modes.includes(mode))
    ? undefined
    : 'incompatible accessMode'
}

/**
 * The reserved volume, else the best match: the binder prefers the fewest access modes, then the
 * smallest size; the scheduler the smallest size.
 * @param promisedOnly only a reserved volume: the claim waits for a pod
 * @param node must reach the volume
 */
export function bestVolume(
  claim: Claim,
  volumes: Iterable<Volume>,
  { promisedOnly = false, node }: { promisedOnly?: boolean; node?: Stored<Node> } = {},
): Volume | undefined {
  const selector = requirementsOf(claim.spec?.selector)
  const order = node ? bySize : byModes
  let best: Volume | undefined
  for (const volume of volumes) {
    const isPromised = isPromisedTo(volume, claim)
    // The binder accepts a reserved volume of any class (kube-controller-manager 1.31), the
    // scheduler only of the same.
    if (
      volume.metadata.deletionTimestamp ||
      mismatch(volume, claim, isPromised && !node) !== undefined
    )
      continue
    const required = volume.spec?.nodeAffinity?.required
    const isReached = !node || !required || matchesSelector(required, node)
    if (volume.spec?.claimRef) {
      // If the node cannot reach the reserved volume, the claim gets no other volume.
      if (isPromised) return isReached ? volume : undefined
      continue
    }
    if (
      !isReached ||
      promisedOnly ||
      (selector && !matchesLabels(selector, volume.metadata.labels))
    )
      continue
    if (volume.status?.phase !== undefined && volume.status.phase !== 'Available') continue
    if (best === undefined || order(volume, best) < 0) best = volume
  }
  return best
}

const modesOf = ({ spec }: Volume): number => spec?.accessModes?.length ?? 0
const byModes = (a: Volume, b: Volume): number => modesOf(a) - modesOf(b) || bySize(a, b)

function bySize(a: Volume, b: Volume): number {
  const sizes = [a, b].map(({ spec }) => parseQuantity(spec?.capacity?.storage ?? '0')) as [
    ReturnType<typeof parseQuantity>,
    ReturnType<typeof parseQuantity>,
  ]
  return compareQuantities(...sizes) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)
}
