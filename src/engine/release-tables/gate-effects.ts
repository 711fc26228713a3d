/** What setting a feature gate does here: obeyed, locked, fixed, or without effect. */
import { entryOf } from '../core/object'
import type { GateState } from './gate-history'
import { gateWithoutEffect } from './gates-without-effect'

/** Gates with an effect. */
export const OBEYED_GATES: readonly string[] = [
  'APIResponseCompression',
  'APIServerIdentity',
  'AggregatedDiscoveryRemoveBetaType',
  'AllowInsecureKubeletCertificateSigningRequests',
  'AllowServiceLBStatusOnNonLB',
  'AllowUnsafeMalformedObjectDeletion',
  'AnonymousAuthConfigurableEndpoints',
  'AnyVolumeDataSource',
  'AuthorizeNodeWithSelectors',
  'AuthorizeWithSelectors',
  'ClusterTrustBundle',
  'ClusterTrustBundleProjection',
  'ComponentSLIs',
  'ConstrainedImpersonation',
  'CoordinatedLeaderElection',
  'CRDValidationRatcheting',
  'CronJobsScheduledAnnotation',
  'CrossNamespaceVolumeDataSource',
  'CustomResourceFieldSelectors',
  'DRAControlPlaneController',
  'DeclarativeValidationBeta',
  'DynamicResourceAllocation',
  'HPAConfigurableTolerance',
  'HPAGeneration',
  'HPAScaleToZero',
  'ImageVolume',
  'JobBackoffLimitPerIndex',
  'JobManagedBy',
  'JobPodReplacementPolicy',
  'JobSuccessPolicy',
  'KubeletServiceAccountTokenForCredentialProviders',
  'LoadBalancerIPMode',
  'MatchLabelKeysInPodAffinity',
  'MatchLabelKeysInPodTopologySpread',
  'MaxUnavailableStatefulSet',
  'MultiCIDRServiceAllocator',
  'MutatingAdmissionPolicy',
  'NodeInclusionPolicyInPodTopologySpread',
  'OpenAPIEnums',
  'PodDeletionCost',
  'PodIndexLabel',
  'PodLifecycleSleepAction',
  'PodLifecycleSleepActionAllowZero',
  'ProcMountType',
  'RecoverVolumeExpansionFailure',
  'RecursiveReadOnlyMounts',
  'RelaxedDNSSearchValidation',
  'RelaxedEnvironmentVariableValidation',
  'ResourceHealthStatus',
  'RetryGenerateName',
  'SELinuxMountReadWriteOncePod',
  'ServiceAccountTokenJTI',
  'ServiceAccountTokenNodeBinding',
  'ServiceAccountTokenNodeBindingValidation',
  'ServiceAccountTokenPodNodeInfo',
  'ServiceTrafficDistribution',
  'SidecarContainers',
  'StatefulSetAutoDeletePVC',
  'StorageVersionAPI',
  'StorageVersionHash',
  'StorageVersionMigrator',
  'StrictCostEnforcementForVAP',
  'StrictCostEnforcementForWebhooks',
  'StructuredAuthenticationConfiguration',
  'StructuredAuthorizationConfiguration',
  'SupplementalGroupsPolicy',
  'TopologyAwareHints',
  'UserNamespacesPodSecurityStandards',
  'UserNamespacesSupport',
  'VolumeAttributesClass',
  'WatchCacheInitializationPostStartHook',
  'WatchList',
  'WatchListCompression',
]

/** Gates that keep their default, though another value changes kube-apiserver's responses. */
export const FIXED_GATES: Readonly<Record<string, string>> = {
  InPlacePodVerticalScaling: 'pods are resized in releases since 1.33 only (--release)',
}

/** Gates for all features of a stage without a setting of their own. */
export const WHOLE_STAGES: Record<string, string> = { AllAlpha: 'ALPHA', AllBeta: 'BETA' }

/** What setting a gate does here, and why if it does nothing. */
export interface GateEffect {
  kind: 'obeyed' | 'locked' | 'withoutEffect' | 'fixed'
  why?: string
}

/** @param gate of the release */
export function gateEffect(name: string, { locked }: GateState): GateEffect {
  const why = gateWithoutEffect(name)
  if (why !== undefined) return { kind: 'withoutEffect', why }
  if (locked) return { kind: 'locked' }
  if (OBEYED_GATES.includes(name) || entryOf(WHOLE_STAGES, name) !== undefined)
    return { kind: 'obeyed' }
  const reason = entryOf(FIXED_GATES, name)
  return { kind: 'fixed', ...(reason !== undefined && { why: reason }) }
}
