/** Only reports which controller expands a volume. Recorded from kube-controller-manager 1.31. */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1'
import { compareQuantities, parseQuantity } from '../../schema/quantity'
import { isNotFound } from '../runtime/client'
import type { Controller } from '../runtime/manager'
import type { Stored } from '../runtime/stored'
import { migrationOf } from './plugins'

const NAME = 'persistentvolume-expander-controller'
const RESIZER = 'volume.kubernetes.io/storage-resizer'
const REASON = 'ExternalExpanding'
const WAITING = 'waiting for an external controller to expand this PVC'

export const volumeExpander: Controller = {
  name: NAME,
  run(manager) {
    const claims = manager.informer<PersistentVolumeClaim>('', 'persistentvolumeclaims')
    const volumes = manager.informer<PersistentVolume>('', 'persistentvolumes')
    const client = manager.client('expand-controller')
    const recorder = manager.recorder(client, 'volume_expand')
    const queue = manager.queue(NAME, async (key) => {
      const claim = claims.get(key)
      const volume = volumes.get(claim?.spec?.volumeName ?? '')
      if (claim?.status?.phase !== 'Bound' || volume === undefined || !requestsExpansion(claim))
        return
      if (volume.spec?.claimRef?.uid !== claim.metadata.uid) return
      const migrated = migrationOf(volume)
      if (migrated === undefined) {
        // kube-controller-manager has its own FlexVolume plugin.
        if (volume.spec?.flexVolume) return
        return recorder.event(claim, volume.spec?.fc ? 'Normal' : 'Warning', REASON, WAITING)
      }
      const [plugin, driver] = migrated
      recorder.event(
        claim,
        'Normal',
        REASON,
        `CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`,
      )
      if (claim.metadata.annotations?.[RESIZER] === driver) return
      try {
        await client.strategicMerge(
          claim,
          { metadata: { annotations: { [RESIZER]: driver } } },
          'status',
        )
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    })
    claims.onChange(({ key, object, previous }) => {
      if (previous && exceeds(requestOf(object), requestOf(previous))) queue.add(key)
    })
  },
}

const requestOf = ({ spec }: Stored<PersistentVolumeClaim>): string | undefined =>
  spec?.resources?.requests?.storage
const requestsExpansion = (claim: Stored<PersistentVolumeClaim>): boolean =>
  exceeds(requestOf(claim), claim.status?.capacity?.storage)

function exceeds(amount: string | undefined, other: string | undefined): boolean {
  if (amount === undefined || other === undefined || amount === other) return false
  return compareQuantities(parseQuantity(amount), parseQuantity(other)) > 0
}
