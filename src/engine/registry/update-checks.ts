/**
 * The order of checks of an update by kind. Kinds differ in whether they validate the whole object
 * or the change first, and in which of these validates the metadata again. That determines order
 * and number of the errors. Recorded from kube-apiserver 1.31; others are from k8s.io/kubernetes,
 * pkg/registry.
 */

import { entryOf, type KubeObject } from '../core/object'
import { type FieldError, invalid } from '../http/status'
import { declaresRules, withDeclared } from '../validation/declared/check'
import {
  validateCommonUpdate,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta'
import { metaRules } from './create'
import { customKindErrors, nameOfKind } from './custom-kind'
import type { RequestContext } from './request-context'
import type { Resource } from './resource'
import type { Strategy, StrategyContext } from './strategy'

type Check =
  /** The new metadata as on create. */
  | 'metadata'
  /** Changes of metadata. */
  | 'metadata change'
  /** The strategy's `validate`. */
  | 'object'
  /** The strategy's `validateUpdate`. */
  | 'change'

/** Kinds without an entry in the table. */
const CHANGE_FIRST: readonly Check[] = ['metadata change', 'change', 'metadata', 'object']
const OBJECT_FIRST: readonly Check[] = ['metadata', 'object', 'metadata change', 'change']
const OBJECT_AGAIN: readonly Check[] = ['metadata', 'object', 'metadata change', 'object', 'change']
const AGAIN_WHOLE: readonly Check[] = ['metadata', 'object', 'metadata', 'object', 'change']
const CHANGED_OBJECT: readonly Check[] = ['metadata change', 'metadata', 'object', 'change']
const OBJECT_ONLY: readonly Check[] = ['metadata', 'object', 'change']
/** The name is not validated again. */
const WITHOUT_METADATA: readonly Check[] = ['metadata change', 'object', 'change']
const TWICE: readonly Check[] = [
  'metadata',
  'object',
  'metadata',
  'object',
  'metadata change',
  'change',
]

const WHOLE_AROUND_CHANGE: readonly Check[] = [
  'metadata',
  'object',
  'metadata change',
  'metadata',
  'object',
  'change',
]

const MAIN: Record<string, readonly Check[]> = {
  '/Event': ['object', 'change'],
  '/LimitRange': OBJECT_ONLY,
  '/Namespace': OBJECT_FIRST,
  '/Node': OBJECT_FIRST,
  '/PersistentVolume': AGAIN_WHOLE,
  '/Endpoints': CHANGED_OBJECT,
  '/PersistentVolumeClaim': WHOLE_AROUND_CHANGE,
  '/Pod': CHANGED_OBJECT,
  '/PodTemplate': WITHOUT_METADATA,
  '/ReplicationController': OBJECT_AGAIN,
  '/ResourceQuota': WITHOUT_METADATA,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': OBJECT_ONLY,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': OBJECT_ONLY,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': OBJECT_ONLY,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': OBJECT_ONLY,
  'apiextensions.k8s.io/CustomResourceDefinition': WITHOUT_METADATA,
  'apps/ControllerRevision': CHANGED_OBJECT,
  'apps/DaemonSet': OBJECT_AGAIN,
  'apps/Deployment': WITHOUT_METADATA,
  'apps/ReplicaSet': OBJECT_AGAIN,
  'apps/StatefulSet': WITHOUT_METADATA,
  'autoscaling/HorizontalPodAutoscaler': WITHOUT_METADATA,
  'batch/CronJob': WITHOUT_METADATA,
  'batch/Job': OBJECT_FIRST,
  'certificates.k8s.io/CertificateSigningRequest': OBJECT_FIRST,
  'coordination.k8s.io/LeaseCandidate': WITHOUT_METADATA,
  'coordination.k8s.io/Lease': WITHOUT_METADATA,
  'discovery.k8s.io/EndpointSlice': OBJECT_ONLY,
  'events.k8s.io/Event': ['object', 'metadata change', 'change'],
  'flowcontrol.apiserver.k8s.io/FlowSchema': OBJECT_ONLY,
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': OBJECT_ONLY,
  'internal.apiserver.k8s.io/StorageVersion': ['object', 'change'],
  'networking.k8s.io/IPAddress': OBJECT_FIRST,
  'networking.k8s.io/Ingress': CHANGED_OBJECT,
  'networking.k8s.io/NetworkPolicy': OBJECT_AGAIN,
  'networking.k8s.io/ServiceCIDR': OBJECT_FIRST,
  'node.k8s.io/RuntimeClass': OBJECT_FIRST,
  'policy/PodDisruptionBudget': ['object', 'change'],
  'rbac.authorization.k8s.io/ClusterRole': TWICE,
  'rbac.authorization.k8s.io/ClusterRoleBinding': TWICE,
  'rbac.authorization.k8s.io/Role': TWICE,
  'rbac.authorization.k8s.io/RoleBinding': TWICE,
  'resource.k8s.io/DeviceClass': OBJECT_AGAIN,
  'resource.k8s.io/PodSchedulingContext': WHOLE_AROUND_CHANGE,
  'resource.k8s.io/ResourceClaim': OBJECT_FIRST,
  'resource.k8s.io/ResourceClaimTemplate': OBJECT_FIRST,
  'resource.k8s.io/ResourceSlice': WITHOUT_METADATA,
  'scheduling.k8s.io/PriorityClass': ['metadata change', 'change'],
  'storage.k8s.io/CSIDriver': WITHOUT_METADATA,
  'storage.k8s.io/CSINode': AGAIN_WHOLE,
  'storage.k8s.io/CSIStorageCapacity': OBJECT_FIRST,
  'storage.k8s.io/StorageClass': OBJECT_FIRST,
  'storage.k8s.io/VolumeAttachment': AGAIN_WHOLE,
  'storage.k8s.io/VolumeAttributesClass': [
    'metadata',
    'object',
    'metadata change',
    'change',
    'metadata',
    'object',
  ],
  'storagemigration.k8s.io/StorageVersionMigration': OBJECT_FIRST,
}

/** Also for custom resources. */
const CHANGE_ONLY: readonly Check[] = ['metadata change', 'change']
const STATUS_OF: Record<string, readonly Check[]> = {
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': ['change'],
  'apps/StatefulSet': ['change', 'metadata change'],
  'batch/CronJob': ['change'],
  'certificates.k8s.io/CertificateSigningRequest': OBJECT_FIRST,
  'flowcontrol.apiserver.k8s.io/FlowSchema': ['change'],
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': ['change'],
  'internal.apiserver.k8s.io/StorageVersion': ['change'],
  'policy/PodDisruptionBudget': ['change'],
  'storage.k8s.io/VolumeAttachment': AGAIN_WHOLE,
}

interface Order {
  main: readonly Check[]
  subresource: readonly Check[]
}

/** Cached by resource. */
const orders = new WeakMap<Resource, Order>()

function orderOf(resource: Resource): Order {
  let order = orders.get(resource)
  if (order === undefined) {
    const [own, stored] = [resource.group, resource.errorGroup].map(
      (group) => `${group}/${resource.kind}`,
    ) as [string, string]
    const main = resource.custom
      ? CHANGE_ONLY
      : (entryOf(MAIN, own) ?? entryOf(MAIN, stored) ?? CHANGE_FIRST)
    orders.set(
      resource,
      (order = {
        main,
        subresource: entryOf(STATUS_OF, own) ?? entryOf(STATUS_OF, stored) ?? CHANGE_ONLY,
      }),
    )
  }
  return order
}

/**
 * @param object the draft with server-owned members carried over
 * @param part the checks of the endpoint: the strategy itself or that of a subresource
 * @throws ApiError 422
 */
export function checkUpdate(
  context: RequestContext,
  object: KubeObject,
  old: KubeObject,
  part: Pick<Strategy, 'validateUpdate'>,
  given: StrategyContext,
): Promise<void> | undefined {
  const { resource } = context
  const checks = orderOf(resource)[context.subresource === '' ? 'main' : 'subresource']
  const wantsObject = checks.includes('object') && resource.strategy.validatesAllOnUpdate !== false
  return whenFound(
    wantsObject ? resource.strategy.validate?.(object, given, old) : undefined,
    (ofObject) =>
      whenFound(part.validateUpdate?.(object, old, given), (ofChange) =>
        reject(context, object, old, checks, ofObject, ofChange),
      ),
  )
}

/** Continues with the errors, synchronously if all rules are. */
function whenFound(
  found: FieldError[] | Promise<FieldError[]> | undefined,
  then: (errors: FieldError[]) => Promise<void> | undefined,
): Promise<void> | undefined {
  return found instanceof Promise ? found.then(then) : then(found ?? [])
}

/** @throws ApiError 422 if there are errors */
function reject(
  context: RequestContext,
  object: KubeObject,
  old: KubeObject,
  checks: readonly Check[],
  ofObject: FieldError[],
  ofChange: FieldError[],
): undefined {
  const { resource } = context
  const rules = metaRules(resource)
  const metadata = validateObjectMeta(object, rules)
  const metadataChange = validateObjectMetaUpdate(object, old, rules)
  const ofKind = customKindErrors(resource, object)
  if (
    metadata.length + metadataChange.length + ofObject.length + ofChange.length + ofKind.length ===
      0 &&
    !declaresRules(resource)
  )
    return
  const found: Record<Check, FieldError[]> = {
    metadata,
    'metadata change': metadataChange,
    object: ofObject,
    change: ofChange,
  }
  const common = validateCommonUpdate(object, old, resource.namespaced)
  // Another kind has no strategy.
  const listed =
    ofKind.length > 0
      ? [...common, ...ofKind]
      : [...common, ...checks.flatMap((check) => found[check])]
  const errors = withDeclared(context, object, old, listed)
  if (errors.length > 0) throw invalid(nameOfKind(resource, object), context.name, errors)
}
