/** Strategies of the kinds of group `storage.k8s.io`. */
import type { Strategy } from '../strategy'

export const storageStrategies: Record<string, Strategy> = {
  'storage.k8s.io/CSINode': { allowUnconditionalUpdate: false },
  'storage.k8s.io/CSIStorageCapacity': { allowUnconditionalUpdate: false },
}
