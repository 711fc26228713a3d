/** Which strategy a kind has. Kinds without an entry get what most kinds share. */
import type { Strategy } from './strategy'
import { namespaceStrategy } from './core/namespace'
import { pathSegment } from './rules/names'

const roles: Strategy = { nameRule: pathSegment, allowCreateOnUpdate: true }
const spec: Strategy = { generationFields: ['spec'], serverOwned: ['status'] }
const specOnly: Strategy = { generationFields: ['spec'] }
const statusOnly: Strategy = { serverOwned: ['status'] }

/** By `group/Kind`; the core group is empty. */
const STRATEGIES: Record<string, Strategy> = {
  '/Namespace': namespaceStrategy,
  '/Node': statusOnly,
  '/PersistentVolume': statusOnly,
  '/PersistentVolumeClaim': statusOnly,
  '/Pod': statusOnly,
  '/ReplicationController': spec,
  '/ResourceQuota': statusOnly,
  '/Service': { serverOwned: ['status'], allowCreateOnUpdate: true },
  '/Endpoints': { allowCreateOnUpdate: true },
  '/Event': { allowCreateOnUpdate: true },
  '/LimitRange': { allowCreateOnUpdate: true },
  'apps/Deployment': spec,
  'apps/DaemonSet': spec,
  'apps/ReplicaSet': spec,
  'apps/StatefulSet': spec,
  'autoscaling/HorizontalPodAutoscaler': statusOnly,
  'batch/Job': spec,
  'batch/CronJob': spec,
  'networking.k8s.io/Ingress': spec,
  'networking.k8s.io/NetworkPolicy': specOnly,
  'networking.k8s.io/IngressClass': specOnly,
  'policy/PodDisruptionBudget': { ...spec, allowUnconditionalUpdate: false },
  'rbac.authorization.k8s.io/Role': roles,
  'rbac.authorization.k8s.io/RoleBinding': roles,
  'rbac.authorization.k8s.io/ClusterRole': roles,
  'rbac.authorization.k8s.io/ClusterRoleBinding': roles,
  'storage.k8s.io/CSINode': { allowUnconditionalUpdate: false, returnsDeletedObject: true },
  'storage.k8s.io/CSIStorageCapacity': { allowUnconditionalUpdate: false },
  'node.k8s.io/RuntimeClass': { allowUnconditionalUpdate: false, allowCreateOnUpdate: true },
  'coordination.k8s.io/Lease': { allowCreateOnUpdate: true, laxFinalizers: true },
  'flowcontrol.apiserver.k8s.io/FlowSchema': spec,
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': spec,
  'apiextensions.k8s.io/CustomResourceDefinition': spec,
  'apiregistration.k8s.io/APIService': statusOnly,
  'certificates.k8s.io/CertificateSigningRequest': statusOnly,
}

const COMMON: Strategy = {}

export function strategyOf(group: string, kind: string): Strategy {
  return STRATEGIES[`${group}/${kind}`] ?? COMMON
}
