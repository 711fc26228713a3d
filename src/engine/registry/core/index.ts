/** Strategies of the kinds of group `core`. */
import type { Strategy } from '../strategy'
import { namespaceStrategy } from './namespace'

export const coreStrategies: Record<string, Strategy> = {
  '/Namespace': namespaceStrategy,
  '/Node': { serverOwned: ['status'] },
  '/PersistentVolume': { serverOwned: ['status'] },
  '/PersistentVolumeClaim': { serverOwned: ['status'] },
  '/Pod': { serverOwned: ['status'] },
  '/ReplicationController': { generationFields: ['spec'], serverOwned: ['status'] },
  '/ResourceQuota': { serverOwned: ['status'] },
  '/Service': { serverOwned: ['status'], allowCreateOnUpdate: true },
  '/Endpoints': { allowCreateOnUpdate: true },
  '/Event': { allowCreateOnUpdate: true },
  '/LimitRange': { allowCreateOnUpdate: true },
}
