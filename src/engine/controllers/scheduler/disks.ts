/**
 * Conflicts of volumes without claim that only one pod may write (kube-scheduler,
 * VolumeRestrictions).
 */
import type { Pod, Volume } from 'kubernetes-types/core/v1'

/** Whether both are one disk, and conflict. */
type Same = (a: Volume, b: Volume) => boolean

const both = (a: { readOnly?: boolean }, b: { readOnly?: boolean }): boolean =>
  Boolean(a.readOnly && b.readOnly)

const COLLISIONS: Same[] = [
  ({ gcePersistentDisk: a }, { gcePersistentDisk: b }) =>
    Boolean(a && b && a.pdName === b.pdName && !both(a, b)),
  ({ awsElasticBlockStore: a }, { awsElasticBlockStore: b }) =>
    Boolean(a && b && a.volumeID === b.volumeID),
  ({ iscsi: a }, { iscsi: b }) => Boolean(a && b && a.iqn === b.iqn && !both(a, b)),
  ({ rbd: a }, { rbd: b }) =>
    Boolean(
      a &&
        b &&
        a.pool === b.pool &&
        a.image === b.image &&
        a.monitors.some((monitor) => b.monitors.includes(monitor)) &&
        !both(a, b),
    ),
]

export function diskCollides({ spec }: Pod, others: readonly Pod[]): boolean {
  const volumes = (spec?.volumes ?? []).filter(
    ({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }) =>
      gcePersistentDisk ?? awsElasticBlockStore ?? iscsi ?? rbd,
  )
  if (volumes.length === 0) return false
  const taken = others.flatMap((other) => other.spec?.volumes ?? [])
  return volumes.some((volume) =>
    taken.some((other) => COLLISIONS.some((collide) => collide(volume, other))),
  )
}
