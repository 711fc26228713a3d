/** Which volume fits a claim best (public documentation, "Persistent Volumes", "Binding"). The scheduler asks the same. */

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

/** The volume is promised to this claim, by name, and by uid if it names one. */
export function isPromisedTo({ spec }: Volume, { metadata }: Claim): boolean {
  const { namespace, name, uid } = spec?.claimRef ?? {}
  return (
    namespace === metadata.namespace && name === metadata.name && (!uid || uid === metadata.uid)
  )
}

/**
 * Why a volume cannot serve a claim; undefined: it can.
 * @param anyClass classes need not agree
 */
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
 * The volume that is promised to the claim, else of those that are free and fit the one that offers least beyond what is asked for:
 * the fewest access modes, then the smallest size; for the scheduler the smallest size alone (public sources of both).
 * @param promisedOnly nothing but a promised one will do: the claim waits for a pod
 * @param node where it is to be reached from
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
    // A volume that is promised may be of any class (recorded); the scheduler sees those of the claim's own.
    if (
      volume.metadata.deletionTimestamp ||
      mismatch(volume, claim, isPromised && !node) !== undefined
    )
      continue
    const required = volume.spec?.nodeAffinity?.required
    const isReached = !node || !required || matchesSelector(required, node)
    if (volume.spec?.claimRef) {
      // Where the promised one cannot be reached no other takes its place.
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
