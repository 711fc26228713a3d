import type { Kind } from '../../registry/kind'
import {
  at,
  fieldsAt,
  nothing,
  ofCluster,
  ofCore,
  ofEvents,
  type Reader,
} from '../../registry/selectable-fields'
import {
  AGAIN_WHOLE,
  CHANGED_OBJECT,
  OBJECT_AGAIN,
  OBJECT_FIRST,
  OBJECT_ONLY,
  WHOLE_AROUND_CHANGE,
  WITHOUT_METADATA,
} from '../../registry/update-order'
import { setOnce } from '../../validation/declared/rules'
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
import { replicationControllerRules, replicationControllerStrategy } from './replication-controller'
import { resourceQuotaStrategy } from './resource-quota'
import { secretStrategy } from './secret'
import { serviceStrategy } from './service'
import { serviceAccountStrategy } from './service-account'

const firstPodAddress: Reader = (object) => {
  const { podIPs } = (object as { status?: { podIPs?: { ip?: string }[] } }).status ?? {}
  return podIPs?.[0]?.ip ?? at('status.podIP')(object)
}

const podFields = ofCore({
  ...fieldsAt(
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
  ),
  ...fieldsAt('status.phase', 'status.nominatedNodeName'),
  'spec.host': at('spec.nodeName'),
  'spec.hostNetwork': at('spec.hostNetwork', 'false'),
  'status.podIP': firstPodAddress,
  'status.podIPs': nothing,
})

export const coreKinds: readonly Kind[] = [
  {
    group: '',
    kind: 'ConfigMap',
    strategy: configMapStrategy,
  },
  {
    group: '',
    kind: 'Namespace',
    strategy: namespaceStrategy,
    updateChecks: OBJECT_FIRST,
    selectable: ofCluster(fieldsAt('status.phase')),
  },
  {
    group: '',
    kind: 'Secret',
    strategy: secretStrategy,
    selectable: ofCore(fieldsAt('type')),
  },
  {
    group: '',
    kind: 'ServiceAccount',
    strategy: serviceAccountStrategy,
  },
  {
    group: '',
    kind: 'Node',
    strategy: nodeStrategy,
    updateChecks: OBJECT_FIRST,
    declared: {
      members: {
        spec: {
          members: {
            providerID: {
              first: [setOnce],
              replaces: /^Forbidden: node updates may not change providerID /,
            },
          },
        },
      },
    },
    selectable: ofCluster({ 'spec.unschedulable': at('spec.unschedulable', 'false') }),
  },
  {
    group: '',
    kind: 'PersistentVolume',
    strategy: persistentVolumeStrategy,
    updateChecks: AGAIN_WHOLE,
  },
  {
    group: '',
    kind: 'PersistentVolumeClaim',
    strategy: persistentVolumeClaimStrategy,
    updateChecks: WHOLE_AROUND_CHANGE,
    later: { change: 'UpdatesCheckedOnce', updateChecks: CHANGED_OBJECT },
  },
  {
    group: '',
    kind: 'Binding',
    strategy: bindingStrategy,
  },
  {
    group: '',
    kind: 'Pod',
    strategy: podStrategy,
    updateChecks: CHANGED_OBJECT,
    selectable: podFields,
  },
  {
    group: '',
    kind: 'PodTemplate',
    strategy: podTemplateStrategy,
    updateChecks: WITHOUT_METADATA,
  },
  {
    group: '',
    kind: 'ReplicationController',
    strategy: replicationControllerStrategy,
    updateChecks: OBJECT_AGAIN,
    later: { change: 'UpdatesCheckedOnce', updateChecks: WITHOUT_METADATA },
    declared: replicationControllerRules,
    selectable: ofCore({ 'status.replicas': at('status.replicas', '0') }),
  },
  {
    group: '',
    kind: 'ResourceQuota',
    strategy: resourceQuotaStrategy,
    updateChecks: WITHOUT_METADATA,
  },
  {
    group: '',
    kind: 'Service',
    strategy: serviceStrategy,
    selectable: ofCore(fieldsAt('spec.clusterIP', 'spec.type')),
  },
  {
    group: '',
    kind: 'Endpoints',
    strategy: endpointsStrategy,
    updateChecks: CHANGED_OBJECT,
  },
  {
    group: '',
    kind: 'Event',
    strategy: eventStrategy,
    updateChecks: ['object', 'change'],
    selectable: ofCore({
      ...ofEvents('involvedObject', 'reportingComponent'),
      source: (object) => at('source.component')(object) || at('reportingComponent')(object),
    }),
  },
  {
    group: '',
    kind: 'LimitRange',
    strategy: limitRangeStrategy,
    updateChecks: OBJECT_ONLY,
  },
  {
    group: 'events.k8s.io',
    kind: 'Event',
    updateChecks: ['object', 'metadata change', 'change'],
    selectable: ofCore(ofEvents('regarding', 'reportingController')),
  },
]
