/** The rows of kubernetes.io, "Deprecated API Migration Guide". */
import {
  AUTOSCALER,
  BUDGET,
  DEFINITION,
  ENDPOINT_SLICE,
  EVENT,
  FLOW_CONTROL,
  INGRESS,
  REVIEW,
  SIGNING_REQUEST,
  WEBHOOK,
  WORKLOAD,
} from './changes'
import type { NotableChange } from './notable-change'
import type { Release } from './release'

export interface Replacement {
  apiVersion: string
  since: string
}

export interface Removal {
  /** `1.25 PodDisruptionBudget` */
  name: string
  /** The first release that no longer serves it. */
  release: Release
  kinds: readonly string[]
  removed: readonly string[]
  /** The recommended one first. */
  replacements: readonly Replacement[]
  changes: readonly NotableChange[]
}

interface Row {
  kinds: string
  removed: string
  /** `v1 1.19` */
  to?: string
  changes?: readonly NotableChange[]
  name?: string
}

function removal(release: Release, row: Row): Removal {
  const kinds = row.kinds.split(' ')
  const replacements = (row.to ?? '').split(', ').flatMap((text) => {
    const [apiVersion, since] = text.split(' ')
    return apiVersion && since ? [{ apiVersion, since }] : []
  })
  return {
    name: `${release} ${row.name ?? kinds.join(', ')}`,
    release,
    kinds,
    removed: row.removed.split(' '),
    replacements,
    changes: row.changes ?? [],
  }
}

const FLOW = 'flowcontrol.apiserver.k8s.io'
const FLOW_KINDS = 'FlowSchema PriorityLevelConfiguration'
const RBAC = 'rbac.authorization.k8s.io'

/** Split if replacements were introduced in different releases. */
const REMOVALS: readonly Removal[] = [
  removal('1.32', {
    kinds: FLOW_KINDS,
    removed: `${FLOW}/v1beta3`,
    to: `${FLOW}/v1 1.29`,
    changes: [FLOW_CONTROL.zeroShares],
  }),
  removal('1.29', {
    kinds: FLOW_KINDS,
    removed: `${FLOW}/v1beta2`,
    to: `${FLOW}/v1 1.29, ${FLOW}/v1beta3 1.26`,
    changes: [FLOW_CONTROL.shares, FLOW_CONTROL.zeroShares],
  }),
  removal('1.27', {
    kinds: 'CSIStorageCapacity',
    removed: 'storage.k8s.io/v1beta1',
    to: 'storage.k8s.io/v1 1.24',
  }),
  removal('1.26', { kinds: FLOW_KINDS, removed: `${FLOW}/v1beta1`, to: `${FLOW}/v1beta2 1.23` }),
  removal('1.26', {
    kinds: 'HorizontalPodAutoscaler',
    removed: 'autoscaling/v2beta2',
    to: 'autoscaling/v2 1.23',
    changes: [AUTOSCALER.target],
  }),
  removal('1.25', { kinds: 'CronJob', removed: 'batch/v1beta1', to: 'batch/v1 1.21' }),
  removal('1.25', {
    kinds: 'EndpointSlice',
    removed: 'discovery.k8s.io/v1beta1',
    to: 'discovery.k8s.io/v1 1.21',
    changes: [ENDPOINT_SLICE.place, ENDPOINT_SLICE.topology],
  }),
  removal('1.25', {
    kinds: 'Event',
    removed: 'events.k8s.io/v1beta1',
    to: 'events.k8s.io/v1 1.19',
    changes: [EVENT.required, EVENT.times, EVENT.old],
  }),
  removal('1.25', {
    kinds: 'HorizontalPodAutoscaler',
    removed: 'autoscaling/v2beta1',
    to: 'autoscaling/v2 1.23',
    changes: [AUTOSCALER.target],
  }),
  removal('1.25', {
    kinds: 'PodDisruptionBudget',
    removed: 'policy/v1beta1',
    to: 'policy/v1 1.21',
    changes: [BUDGET.emptySelector],
  }),
  removal('1.25', { kinds: 'PodSecurityPolicy', removed: 'policy/v1beta1' }),
  removal('1.25', {
    kinds: 'RuntimeClass',
    removed: 'node.k8s.io/v1beta1',
    to: 'node.k8s.io/v1 1.20',
  }),
  removal('1.22', {
    kinds: 'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    removed: 'admissionregistration.k8s.io/v1beta1',
    to: 'admissionregistration.k8s.io/v1 1.16',
    changes: Object.values(WEBHOOK),
  }),
  removal('1.22', {
    kinds: 'CustomResourceDefinition',
    removed: 'apiextensions.k8s.io/v1beta1',
    to: 'apiextensions.k8s.io/v1 1.16',
    changes: Object.values(DEFINITION),
  }),
  removal('1.22', {
    kinds: 'APIService',
    removed: 'apiregistration.k8s.io/v1beta1',
    to: 'apiregistration.k8s.io/v1 1.10',
  }),
  removal('1.22', {
    kinds: 'TokenReview',
    removed: 'authentication.k8s.io/v1beta1',
    to: 'authentication.k8s.io/v1 1.6',
  }),
  removal('1.22', {
    kinds:
      'LocalSubjectAccessReview SelfSubjectAccessReview SubjectAccessReview SelfSubjectRulesReview',
    removed: 'authorization.k8s.io/v1beta1',
    to: 'authorization.k8s.io/v1 1.6',
    changes: [REVIEW.groups],
  }),
  removal('1.22', {
    kinds: 'CertificateSigningRequest',
    removed: 'certificates.k8s.io/v1beta1',
    to: 'certificates.k8s.io/v1 1.19',
    changes: Object.values(SIGNING_REQUEST),
  }),
  removal('1.22', {
    kinds: 'Lease',
    removed: 'coordination.k8s.io/v1beta1',
    to: 'coordination.k8s.io/v1 1.14',
  }),
  removal('1.22', {
    kinds: 'Ingress',
    removed: 'extensions/v1beta1 networking.k8s.io/v1beta1',
    to: 'networking.k8s.io/v1 1.19',
    changes: Object.values(INGRESS),
  }),
  removal('1.22', {
    kinds: 'IngressClass',
    removed: 'networking.k8s.io/v1beta1',
    to: 'networking.k8s.io/v1 1.19',
  }),
  removal('1.22', {
    kinds: 'ClusterRole ClusterRoleBinding Role RoleBinding',
    removed: `${RBAC}/v1beta1`,
    to: `${RBAC}/v1 1.8`,
  }),
  removal('1.22', {
    kinds: 'PriorityClass',
    removed: 'scheduling.k8s.io/v1beta1',
    to: 'scheduling.k8s.io/v1 1.14',
  }),
  ...[
    ['CSIDriver', '1.19'],
    ['CSINode', '1.17'],
    ['StorageClass', '1.6'],
    ['VolumeAttachment', '1.13'],
  ].map(([kinds = '', since]) =>
    removal('1.22', { kinds, removed: 'storage.k8s.io/v1beta1', to: `storage.k8s.io/v1 ${since}` }),
  ),
  removal('1.16', {
    kinds: 'NetworkPolicy',
    removed: 'extensions/v1beta1',
    to: 'networking.k8s.io/v1 1.8',
  }),
  removal('1.16', {
    kinds: 'DaemonSet',
    removed: 'extensions/v1beta1 apps/v1beta2',
    to: 'apps/v1 1.9',
    changes: [WORKLOAD.templateGeneration, WORKLOAD.selector, WORKLOAD.updateStrategy],
  }),
  removal('1.16', {
    kinds: 'Deployment',
    removed: 'extensions/v1beta1 apps/v1beta1 apps/v1beta2',
    to: 'apps/v1 1.9',
    changes: [
      WORKLOAD.rollbackTo,
      WORKLOAD.selector,
      WORKLOAD.progressDeadline,
      WORKLOAD.revisionHistory,
      WORKLOAD.rollingUpdate,
    ],
  }),
  removal('1.16', {
    kinds: 'StatefulSet',
    removed: 'apps/v1beta1 apps/v1beta2',
    to: 'apps/v1 1.9',
    changes: [WORKLOAD.selector, WORKLOAD.updateStrategy],
  }),
  removal('1.16', {
    kinds: 'ReplicaSet',
    removed: 'extensions/v1beta1 apps/v1beta1 apps/v1beta2',
    to: 'apps/v1 1.9',
    changes: [WORKLOAD.selector],
  }),
  removal('1.16', {
    kinds: 'PodSecurityPolicy',
    removed: 'extensions/v1beta1',
    to: 'policy/v1beta1 1.10',
  }),
]

export function rowsOfTable(): readonly Removal[] {
  return REMOVALS
}

/** undefined if not removed. */
export function removalOf(apiVersion: string, kind: string): Removal | undefined {
  return REMOVALS.find((row) => row.removed.includes(apiVersion) && row.kinds.includes(kind))
}
