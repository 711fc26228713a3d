/** Strategies of the kinds of group `storage.k8s.io`. */

import { STATUS_ALONE, type Strategy } from '../strategy'
import { defaultDriver, defaultStorageClass } from './defaults'

export const storageStrategies: Record<string, Strategy> = {
  'storage.k8s.io/StorageClass': { defaults: defaultStorageClass },
  'storage.k8s.io/CSIDriver': { allowUnconditionalUpdate: false, defaults: defaultDriver },
  'storage.k8s.io/VolumeAttachment': { allowUnconditionalUpdate: false, serverOwned: ['status'], statusKeeps: STATUS_ALONE },
  'storage.k8s.io/CSINode': { allowUnconditionalUpdate: false },
  'storage.k8s.io/CSIStorageCapacity': { allowUnconditionalUpdate: false },
}
