/** Strategies of the kinds of group `core`. */

import { defaultReplicationController } from '../apps/defaults'
import type { Strategy } from '../strategy'
import { bindingStrategy } from './binding'
import { configMapStrategy } from './config-map'
import { endpointsStrategy } from './endpoints'
import { eventStrategy } from './event'
import { limitRangeStrategy } from './limit-range'
import { namespaceStrategy } from './namespace'
import { nodeStrategy } from './node'
import { persistentVolumeStrategy } from './persistent-volume'
import { persistentVolumeClaimStrategy } from './persistent-volume-claim'
import { podStrategy } from './pod'
import { defaultTemplate } from './pod-defaults'
import { resourceQuotaStrategy } from './resource-quota'
import { secretStrategy } from './secret'
import { serviceStrategy } from './service'

export const coreStrategies: Record<string, Strategy> = {
  '/ConfigMap': configMapStrategy,
  '/Namespace': namespaceStrategy,
  '/Secret': secretStrategy,
  '/Node': nodeStrategy,
  '/PersistentVolume': persistentVolumeStrategy,
  '/PersistentVolumeClaim': persistentVolumeClaimStrategy,
  '/Binding': bindingStrategy,
  '/Pod': podStrategy,
  '/PodTemplate': { generationFields: ['template'], defaults: ({ template }) => defaultTemplate(template) },
  '/ReplicationController': {
    generationFields: ['spec'],
    serverOwned: ['status'],
    defaults: defaultReplicationController,
    defaultPropagation: 'Orphan',
  },
  '/ResourceQuota': resourceQuotaStrategy,
  '/Service': serviceStrategy,
  '/Endpoints': endpointsStrategy,
  '/Event': eventStrategy,
  '/LimitRange': limitRangeStrategy,
}
