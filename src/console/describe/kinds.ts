/** Descriptions by kind and group. */

import { entryOf } from '../../engine/core/object'
import { anyKind } from './any-kind'
import { autoscaler } from './autoscaler'
import { configMap, secret, serviceAccount } from './configuration'
import type { Description } from './description'
import { ingress, ingressClass } from './ingress'
import { cronJob, job } from './jobs'
import { networkPolicy } from './network-policy'
import { node } from './node'
import { pod } from './pod'
import { disruptionBudget, priorityClass, signingRequest } from './policies'
import { limitRange, namespace, resourceQuota } from './quotas'
import { binding, role } from './rights'
import { endpointSlice, endpoints, service } from './services'
import {
  csiNode,
  persistentVolume,
  persistentVolumeClaim,
  storageClass,
  volumeAttributesClass,
} from './storage'
import { daemonSet, deployment, replicaSet, replicationController, statefulSet } from './workloads'

const DESCRIPTIONS: Readonly<Record<string, Description>> = {
  Pod: pod,
  ReplicationController: replicationController,
  Secret: secret,
  Service: service,
  ServiceAccount: serviceAccount,
  Node: node,
  LimitRange: limitRange,
  ResourceQuota: resourceQuota,
  PersistentVolume: persistentVolume,
  PersistentVolumeClaim: persistentVolumeClaim,
  Namespace: namespace,
  Endpoints: endpoints,
  ConfigMap: configMap,
  'PriorityClass.scheduling.k8s.io': priorityClass,
  'EndpointSlice.discovery.k8s.io': endpointSlice,
  'HorizontalPodAutoscaler.autoscaling': autoscaler,
  'NetworkPolicy.networking.k8s.io': networkPolicy,
  'Ingress.networking.k8s.io': ingress,
  'IngressClass.networking.k8s.io': ingressClass,
  'Job.batch': job,
  'CronJob.batch': cronJob,
  'StatefulSet.apps': statefulSet,
  'Deployment.apps': deployment,
  'DaemonSet.apps': daemonSet,
  'ReplicaSet.apps': replicaSet,
  'CertificateSigningRequest.certificates.k8s.io': signingRequest,
  'StorageClass.storage.k8s.io': storageClass,
  'VolumeAttributesClass.storage.k8s.io': volumeAttributesClass,
  'CSINode.storage.k8s.io': csiNode,
  'PodDisruptionBudget.policy': disruptionBudget,
  'Role.rbac.authorization.k8s.io': role,
  'ClusterRole.rbac.authorization.k8s.io': role,
  'RoleBinding.rbac.authorization.k8s.io': binding,
  'ClusterRoleBinding.rbac.authorization.k8s.io': binding,
}

/** The general description by default. */
export function descriptionOf(group: string, kind: string): Description {
  const name = group === '' ? kind : `${kind}.${group}`
  return entryOf(DESCRIPTIONS, name) ?? anyKind
}
