/** Converts objects to and from the stored version, the hub. */
import { entryOf } from '../core/object'
import { builtinModel } from '../schema/builtin'
import type { TypeModel } from '../schema/model'
import type { Conversion } from './conversion-type'
import { accessReviewV1beta1 } from './conversions/access-review'
import { horizontalPodAutoscalerV1 } from './conversions/autoscaler'
import { horizontalPodAutoscalerV2beta1 } from './conversions/autoscaler-v2beta1'
import { budgetV1beta1 } from './conversions/budget'
import { definitionV1beta1 } from './conversions/custom-resource-definition'
import { endpointSliceV1beta1 } from './conversions/endpoint-slice'
import { eventsV1, eventsV1beta1 } from './conversions/event'
import {
  flowcontrolV1beta1,
  flowcontrolV1beta2,
  flowcontrolV1beta3,
} from './conversions/flowcontrol'
import { ingressOf } from './conversions/ingress'
import { sameAs } from './conversions/renamed'
import { bindingV1alpha1 } from './conversions/role-binding'
import { workloadConversions } from './conversions/workloads'

const ADMISSION = 'admissionregistration.k8s.io'
const STORAGE = 'storage.k8s.io'

/** Versions that differ only in name. */
const RENAMED: [group: string, kinds: string, hub: string, served: string[]][] = [
  [
    ADMISSION,
    'ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding',
    'v1',
    ['v1beta1', 'v1alpha1'],
  ],
  [ADMISSION, 'MutatingWebhookConfiguration ValidatingWebhookConfiguration', 'v1', ['v1beta1']],
  ['apiregistration.k8s.io', 'APIService', 'v1', ['v1beta1']],
  ['authentication.k8s.io', 'TokenReview', 'v1', ['v1beta1']],
  ['authorization.k8s.io', 'SelfSubjectAccessReview SelfSubjectRulesReview', 'v1', ['v1beta1']],
  ['autoscaling', 'HorizontalPodAutoscaler', 'v2', ['v2beta2']],
  ['batch', 'CronJob', 'v1', ['v1beta1']],
  ['certificates.k8s.io', 'CertificateSigningRequest', 'v1', ['v1beta1']],
  ['coordination.k8s.io', 'Lease', 'v1', ['v1beta1']],
  ['flowcontrol.apiserver.k8s.io', 'FlowSchema', 'v1', ['v1beta1', 'v1beta2', 'v1beta3']],
  ['networking.k8s.io', 'IngressClass', 'v1', ['v1beta1']],
  ['networking.k8s.io', 'IPAddress ServiceCIDR', 'v1beta1', ['v1alpha1']],
  ['node.k8s.io', 'RuntimeClass', 'v1', ['v1beta1']],
  ['rbac.authorization.k8s.io', 'ClusterRole Role', 'v1', ['v1beta1', 'v1alpha1']],
  ['rbac.authorization.k8s.io', 'ClusterRoleBinding RoleBinding', 'v1', ['v1beta1']],
  ['scheduling.k8s.io', 'PriorityClass', 'v1', ['v1beta1', 'v1alpha1']],
  [STORAGE, 'CSIDriver CSINode StorageClass', 'v1', ['v1beta1']],
  [STORAGE, 'CSIStorageCapacity VolumeAttachment', 'v1', ['v1beta1', 'v1alpha1']],
  [STORAGE, 'VolumeAttributesClass', 'v1beta1', ['v1alpha1']],
]

const CONVERSIONS: Record<string, Conversion> = {
  ...Object.fromEntries(
    RENAMED.flatMap(([group, kinds, hub, versions]) =>
      kinds
        .split(' ')
        .flatMap((kind) =>
          versions.map(
            (served) => [`${group}/${served} ${kind}`, sameAs(group, hub, served)] as const,
          ),
        ),
    ),
  ),
  ...workloadConversions,
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': definitionV1beta1,
  'authorization.k8s.io/v1beta1 LocalSubjectAccessReview': accessReviewV1beta1,
  'authorization.k8s.io/v1beta1 SubjectAccessReview': accessReviewV1beta1,
  'autoscaling/v2beta1 HorizontalPodAutoscaler': horizontalPodAutoscalerV2beta1,
  'discovery.k8s.io/v1beta1 EndpointSlice': endpointSliceV1beta1,
  'events.k8s.io/v1 Event': eventsV1,
  'events.k8s.io/v1beta1 Event': eventsV1beta1,
  'extensions/v1beta1 Ingress': ingressOf('extensions'),
  'extensions/v1beta1 NetworkPolicy': sameAs('networking.k8s.io', 'v1', 'v1beta1', 'extensions'),
  'extensions/v1beta1 PodSecurityPolicy': sameAs('policy', 'v1beta1', 'v1beta1', 'extensions'),
  'flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration': flowcontrolV1beta1,
  'flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration': flowcontrolV1beta2,
  'flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration': flowcontrolV1beta3,
  'networking.k8s.io/v1beta1 Ingress': ingressOf('networking.k8s.io'),
  'policy/v1beta1 PodDisruptionBudget': budgetV1beta1,
  'rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding': bindingV1alpha1,
  'rbac.authorization.k8s.io/v1alpha1 RoleBinding': bindingV1alpha1,
}

/** Conversions that depend on members of the release. */
const CONVERSIONS_BY_MODEL: Record<string, (model: TypeModel) => Conversion> = {
  'autoscaling/v1 HorizontalPodAutoscaler': horizontalPodAutoscalerV1,
}

/** undefined if versions differ only in name. */
export function conversionOf(
  apiVersion: string,
  kind: string,
  model: TypeModel = builtinModel(),
): Conversion | undefined {
  const name = `${apiVersion} ${kind}`
  return entryOf(CONVERSIONS_BY_MODEL, name)?.(model) ?? entryOf(CONVERSIONS, name)
}
