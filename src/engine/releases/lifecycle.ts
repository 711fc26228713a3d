/** When versions of kinds were introduced, deprecated and removed. See kubernetes.io, "API versioning". */

import { apiVersionOf, entryOf } from '../core/object'
import { LIFECYCLE, type Lifecycle } from '../generated/lifecycle'
import { CHANGES } from '../release-tables/changes'
import type { ReleaseTables } from '../release-tables/tables'
import { hasCome, type Release } from './release'

export type { Lifecycle }

/** Some markers of the source contradict released servers. */
const CORRECTIONS: Record<string, Record<string, Partial<Lifecycle>>> = {
  'admissionregistration.k8s.io/v1alpha1': {
    ValidatingAdmissionPolicy: { introduced: '1.26' },
    ValidatingAdmissionPolicyBinding: { introduced: '1.26' },
  },
  // The marker has the release that deprecated the older version.
  'authorization.k8s.io/v1': {
    LocalSubjectAccessReview: { introduced: '1.6' },
    SelfSubjectAccessReview: { introduced: '1.6' },
    SelfSubjectRulesReview: { introduced: '1.8' },
  },
  'extensions/v1beta1': {
    PodSecurityPolicy: {
      introduced: '1.2',
      deprecated: '1.11',
      removed: '1.16',
      replacement: 'policy/v1beta1 PodSecurityPolicy',
    },
  },
  'internal.apiserver.k8s.io/v1alpha1': { StorageVersion: { introduced: '1.20' } },
  // Removed with the next version, earlier than marked.
  'networking.k8s.io/v1alpha1': {
    IPAddress: { removed: '1.31' },
    ServiceCIDR: { removed: '1.31' },
  },
  'policy/v1beta1': {
    PodSecurityPolicy: { introduced: '1.10', deprecated: '1.21', removed: '1.25' },
  },
  // Not in the generated tables. Release notes of 1.17 and 1.23.
  'rbac.authorization.k8s.io/v1alpha1': Object.fromEntries(
    ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map((kind) => [
      kind,
      {
        introduced: '1.5',
        deprecated: '1.17',
        removed: '1.23',
        replacement: `rbac.authorization.k8s.io/v1 ${kind}`,
      },
    ]),
  ),
  'resource.k8s.io/v1alpha3': {
    DeviceClass: { introduced: '1.31' },
    PodSchedulingContext: { introduced: '1.31' },
    ResourceClaim: { introduced: '1.31' },
    ResourceClaimTemplate: { introduced: '1.31' },
    ResourceSlice: { introduced: '1.31' },
  },
  'scheduling.k8s.io/v1alpha1': {
    PriorityClass: {
      introduced: '1.8',
      deprecated: '1.14',
      removed: '1.23',
      replacement: 'scheduling.k8s.io/v1 PriorityClass',
    },
  },
  v1: {
    ComponentStatus: { introduced: '1.0', deprecated: '1.19' },
    Endpoints: {
      introduced: '1.0',
      deprecated: CHANGES.EndpointsDeprecated.since,
      replacement: 'discovery.k8s.io/v1 EndpointSlice',
    },
  },
}

/** undefined for a kind that no release up to then served. */
export function lifecycleOf(
  group: string,
  version: string,
  kind: string,
  tables?: ReleaseTables,
): Lifecycle | undefined {
  const apiVersion = apiVersionOf(group, version)
  const fact = entryOf(entryOf(tables?.table('lifecycle') ?? LIFECYCLE, apiVersion) ?? {}, kind)
  const correction = entryOf(entryOf(CORRECTIONS, apiVersion) ?? {}, kind)
  if (correction === undefined) return fact
  return fact === undefined && correction.introduced === undefined
    ? undefined
    : ({ ...fact, ...correction } as Lifecycle)
}

export type Stage = 'alpha' | 'beta' | 'stable'

export function stageOf(version: string): Stage {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'stable'
}

export function existsIn({ introduced, removed }: Lifecycle, release: Release): boolean {
  return hasCome(introduced, release) && !(removed !== undefined && hasCome(removed, release))
}

/** Beta versions introduced before are enabled by default. */
const BETA_ON_UNTIL = '1.24'
/** Later beta versions are enabled, since an earlier one was. */
const CONTINUED = ['flowcontrol.apiserver.k8s.io']

export function isOnByDefault(group: string, version: string, { introduced }: Lifecycle): boolean {
  const stage = stageOf(version)
  if (stage === 'beta') return !hasCome(BETA_ON_UNTIL, introduced) || CONTINUED.includes(group)
  return stage === 'stable'
}
