/** Strategies of the kinds of group `storage.k8s.io`. */
import { STATUS_ALONE, type Strategy } from '../strategy'

export const storageStrategies: Record<string, Strategy> = {
  'storage.k8s.io/CSIDriver': { allowUnconditionalUpdate: false },
  'storage.k8s.io/VolumeAttachment': { allowUnconditionalUpdate: false, serverOwned: ['status'], statusKeeps: STATUS_ALONE },
  'storage.k8s.io/CSINode': { allowUnconditionalUpdate: false },
  'storage.k8s.io/CSIStorageCapacity': { allowUnconditionalUpdate: false },
}
