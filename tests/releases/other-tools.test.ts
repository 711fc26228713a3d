/**
 * What the well-known checkers for removed versions know (the lists of `pluto` and `kubent` for these releases), this one knows too:
 * that the version goes, in which release, and what to write instead.
 */

import { describe, expect, it } from 'vitest'
import { rewrittenFor } from '../../src/app/features/releases/rewrite'
import { parseApiVersion } from '../../src/engine/core/object'
import { lifecycleOf, parseRelease, removalOf } from '../../src/engine/releases'
import { kubeObject } from '../support/json-objects'

/**
 * Two differences, which are theirs: they name apps/v1beta1 ReplicaSet, which no release had, and for alpha versions the release in
 * which they were to go (1.17, 1.22) rather than 1.23, in which they went. Columns: release that no longer serves it, version, kinds, and the group and version to go to (none: nothing takes its place).
 */
const KNOWN: [release: string, apiVersion: string, kinds: string, replacement?: string][] = [
  ['1.16', 'extensions/v1beta1', 'Deployment DaemonSet ReplicaSet', 'apps/v1'],
  ['1.16', 'extensions/v1beta1', 'NetworkPolicy', 'networking.k8s.io/v1'],
  ['1.16', 'extensions/v1beta1', 'PodSecurityPolicy', 'policy/v1beta1'],
  ['1.16', 'apps/v1beta1', 'Deployment StatefulSet', 'apps/v1'],
  ['1.16', 'apps/v1beta2', 'Deployment StatefulSet ReplicaSet DaemonSet', 'apps/v1'],
  ['1.23', 'scheduling.k8s.io/v1alpha1', 'PriorityClass', 'scheduling.k8s.io/v1'],
  ['1.22', 'extensions/v1beta1', 'Ingress', 'networking.k8s.io/v1'],
  ['1.22', 'networking.k8s.io/v1beta1', 'Ingress IngressClass', 'networking.k8s.io/v1'],
  ['1.22', 'scheduling.k8s.io/v1beta1', 'PriorityClass', 'scheduling.k8s.io/v1'],
  ['1.22', 'apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', 'apiextensions.k8s.io/v1'],
  [
    '1.22',
    'admissionregistration.k8s.io/v1beta1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    'admissionregistration.k8s.io/v1',
  ],
  [
    '1.23',
    'rbac.authorization.k8s.io/v1alpha1',
    'ClusterRole ClusterRoleBinding Role RoleBinding',
    'rbac.authorization.k8s.io/v1',
  ],
  [
    '1.22',
    'rbac.authorization.k8s.io/v1beta1',
    'ClusterRole ClusterRoleBinding Role RoleBinding',
    'rbac.authorization.k8s.io/v1',
  ],
  [
    '1.22',
    'storage.k8s.io/v1beta1',
    'CSIDriver CSINode StorageClass VolumeAttachment',
    'storage.k8s.io/v1',
  ],
  ['1.22', 'apiregistration.k8s.io/v1beta1', 'APIService', 'apiregistration.k8s.io/v1'],
  ['1.22', 'authentication.k8s.io/v1beta1', 'TokenReview', 'authentication.k8s.io/v1'],
  ['1.22', 'authorization.k8s.io/v1beta1', 'SubjectAccessReview', 'authorization.k8s.io/v1'],
  ['1.22', 'certificates.k8s.io/v1beta1', 'CertificateSigningRequest', 'certificates.k8s.io/v1'],
  ['1.22', 'coordination.k8s.io/v1beta1', 'Lease', 'coordination.k8s.io/v1'],
  ['1.25', 'policy/v1beta1', 'PodSecurityPolicy'],
  ['1.25', 'policy/v1beta1', 'PodDisruptionBudget', 'policy/v1'],
  ['1.25', 'node.k8s.io/v1beta1', 'RuntimeClass', 'node.k8s.io/v1'],
  ['1.25', 'autoscaling/v2beta1', 'HorizontalPodAutoscaler', 'autoscaling/v2'],
  ['1.25', 'batch/v1beta1', 'CronJob', 'batch/v1'],
  ['1.25', 'events.k8s.io/v1beta1', 'Event', 'events.k8s.io/v1'],
  ['1.25', 'discovery.k8s.io/v1beta1', 'EndpointSlice', 'discovery.k8s.io/v1'],
  ['1.26', 'autoscaling/v2beta2', 'HorizontalPodAutoscaler', 'autoscaling/v2'],
  [
    '1.26',
    'flowcontrol.apiserver.k8s.io/v1beta1',
    'FlowSchema PriorityLevelConfiguration',
    'flowcontrol.apiserver.k8s.io/v1beta2',
  ],
  ['1.27', 'storage.k8s.io/v1beta1', 'CSIStorageCapacity', 'storage.k8s.io/v1'],
  [
    '1.29',
    'flowcontrol.apiserver.k8s.io/v1beta2',
    'FlowSchema PriorityLevelConfiguration',
    'flowcontrol.apiserver.k8s.io/v1',
  ],
  [
    '1.32',
    'flowcontrol.apiserver.k8s.io/v1beta3',
    'FlowSchema PriorityLevelConfiguration',
    'flowcontrol.apiserver.k8s.io/v1',
  ],
]

const CASES = KNOWN.flatMap(([release, apiVersion, kinds, replacement]) =>
  kinds.split(' ').map((kind) => ({ release, apiVersion, kind, replacement })),
)

describe('what other checkers know', () => {
  it.each(CASES)(
    '$apiVersion $kind is gone in $release',
    ({ release, apiVersion, kind, replacement }) => {
      const { group, version } = parseApiVersion(apiVersion)
      expect(
        removalOf(apiVersion, kind)?.release ?? lifecycleOf(group, version, kind)?.removed,
      ).toBe(release)
      const known = parseRelease(release)
      if (known === undefined) throw new Error(`${release} is not a release`)
      const object = kubeObject({
        apiVersion,
        kind,
        metadata: { name: 'a' },
        spec: {},
      })
      expect(rewrittenFor({ source: 'a', line: 1, object, text: '' }, known)?.apiVersion).toBe(
        replacement,
      )
    },
  )
})
