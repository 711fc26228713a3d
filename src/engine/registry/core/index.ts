/** Strategies of the kinds of group `core`. */

import { defaultReplicationController } from '../apps/defaults'
import type { Strategy } from '../strategy'
import { configMapStrategy } from './config-map'
import { limitRangeStrategy } from './limit-range'
import { namespaceStrategy } from './namespace'
import { podStrategy } from './pod'
import { resourceQuotaStrategy } from './resource-quota'
import { secretStrategy } from './secret'
import { serviceStrategy } from './service'

export const coreStrategies: Record<string, Strategy> = {
  '/ConfigMap': configMapStrategy,
  '/Namespace': namespaceStrategy,
  '/Secret': secretStrategy,
  '/Node': { serverOwned: ['status'] },
  '/PersistentVolume': { serverOwned: ['status'] },
  '/PersistentVolumeClaim': { serverOwned: ['status'] },
  '/Pod': podStrategy,
  '/ReplicationController': {
    generationFields: ['spec'],
    serverOwned: ['status'],
    defaults: defaultReplicationController,
    defaultPropagation: 'Orphan',
  },
  '/ResourceQuota': resourceQuotaStrategy,
  '/Service': serviceStrategy,
  '/Endpoints': { allowCreateOnUpdate: true },
  '/Event': { allowCreateOnUpdate: true },
  '/LimitRange': limitRangeStrategy,
}
