/** Strategies of the kinds of group `core`. */

import type { Strategy } from '../../registry/strategy'
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
import { podTemplateStrategy } from './pod-template'
import { replicationControllerStrategy } from './replication-controller'
import { resourceQuotaStrategy } from './resource-quota'
import { secretStrategy } from './secret'
import { serviceStrategy } from './service'
import { serviceAccountStrategy } from './service-account'

export const coreStrategies: Record<string, Strategy> = {
  '/ConfigMap': configMapStrategy,
  '/Namespace': namespaceStrategy,
  '/Secret': secretStrategy,
  '/ServiceAccount': serviceAccountStrategy,
  '/Node': nodeStrategy,
  '/PersistentVolume': persistentVolumeStrategy,
  '/PersistentVolumeClaim': persistentVolumeClaimStrategy,
  '/Binding': bindingStrategy,
  '/Pod': podStrategy,
  '/PodTemplate': podTemplateStrategy,
  '/ReplicationController': replicationControllerStrategy,
  '/ResourceQuota': resourceQuotaStrategy,
  '/Service': serviceStrategy,
  '/Endpoints': endpointsStrategy,
  '/Event': eventStrategy,
  '/LimitRange': limitRangeStrategy,
}
