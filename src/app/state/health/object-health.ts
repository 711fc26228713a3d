import { type KubeObject, parseApiVersion } from '../../../engine/core/object'
import {
  apiService,
  claim,
  definition,
  endpointSlice,
  namespace,
  node,
  pod,
  service,
  signingRequest,
  volume,
} from './cluster'
import { generic } from './generic'
import { type Health, none, terminating } from './health'
import { HEALTH } from './texts'
import {
  autoscaler,
  cronJob,
  daemonSet,
  deployment,
  disruptionBudget,
  job,
  replicaSet,
  statefulSet,
} from './workloads'

const KINDS: ReadonlyMap<string, (object: KubeObject) => Health> = new Map([
  ['apps/DaemonSet', daemonSet],
  ['apps/Deployment', deployment],
  ['apps/ReplicaSet', replicaSet],
  ['apps/StatefulSet', statefulSet],
  ['autoscaling/HorizontalPodAutoscaler', autoscaler],
  ['batch/CronJob', cronJob],
  ['batch/Job', job],
  ['/Namespace', namespace],
  ['/Node', node],
  ['/PersistentVolume', volume],
  ['/PersistentVolumeClaim', claim],
  ['/Pod', pod],
  ['/ReplicationController', replicaSet],
  ['/Service', service],
  ['apiextensions.k8s.io/CustomResourceDefinition', definition],
  ['apiregistration.k8s.io/APIService', apiService],
  ['certificates.k8s.io/CertificateSigningRequest', signingRequest],
  ['discovery.k8s.io/EndpointSlice', endpointSlice],
  ['policy/PodDisruptionBudget', disruptionBudget],
])

/** Served by Kubernetes itself: groups without a dot, and below k8s.io. */
const isBuiltIn = (group: string): boolean => !group.includes('.') || group.endsWith('.k8s.io')

/** Whether objects of the kind have a health; for others, metadata suffices. */
export const hasHealth = (group: string, kind: string): boolean =>
  KINDS.has(`${group}/${kind}`) || !isBuiltIn(group)

/** Until 1.15, `extensions` has Deployments too: their status has the same members. */
function keyOf({ apiVersion, kind }: KubeObject): string {
  const { group } = parseApiVersion(apiVersion)
  return `${group === 'extensions' ? 'apps' : group}/${kind}`
}

/** kubectl prints the status of the kind; kstatus decides the level. */
export function healthOf(object: KubeObject): Health {
  const own = KINDS.get(keyOf(object))
  const health = own?.(object) ?? generic(object)
  const { deletionTimestamp, finalizers = [] } = object.metadata
  if (deletionTimestamp === undefined) return health
  const deletion = terminating(finalizers)
  return health.level === 'Terminating'
    ? { ...health, reason: health.reason || deletion.reason }
    : deletion
}

export const deletedHealth: Health = none(HEALTH.deleted)
