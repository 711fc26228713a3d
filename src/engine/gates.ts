/**
 * Feature gates: what may be switched, and what is said to who does (document 1, "Deprecation rules", 9 and 10). Only those of the
 * default release are known, whichever release the server answers as.
 */
import { FEATURE_GATES, type FeatureGate } from './generated/feature-gates'
import { entryOf, setMember } from './object'
import { OptionError } from './option-error'

/** Gates that the engine obeys; it stands still at the defaults of all others. */
export const OBEYED_GATES: readonly string[] = [
  'APIResponseCompression',
  'AllowInsecureKubeletCertificateSigningRequests',
  'AllowServiceLBStatusOnNonLB',
  'AnonymousAuthConfigurableEndpoints',
  'AnyVolumeDataSource',
  'AuthorizeNodeWithSelectors',
  'AuthorizeWithSelectors',
  'ClusterTrustBundle',
  'ClusterTrustBundleProjection',
  'CoordinatedLeaderElection',
  'CRDValidationRatcheting',
  'CrossNamespaceVolumeDataSource',
  'CustomResourceFieldSelectors',
  'DRAControlPlaneController',
  'DynamicResourceAllocation',
  'HPAScaleToZero',
  'ImageVolume',
  'JobBackoffLimitPerIndex',
  'JobManagedBy',
  'JobPodReplacementPolicy',
  'JobSuccessPolicy',
  'LoadBalancerIPMode',
  'MaxUnavailableStatefulSet',
  'MultiCIDRServiceAllocator',
  'OpenAPIEnums',
  'ProcMountType',
  'RecoverVolumeExpansionFailure',
  'RetryGenerateName',
  'ServiceAccountTokenJTI',
  'ServiceAccountTokenNodeBinding',
  'ServiceAccountTokenNodeBindingValidation',
  'ServiceAccountTokenPodNodeInfo',
  'ServiceTrafficDistribution',
  'StatefulSetAutoDeletePVC',
  'StorageVersionAPI',
  'StorageVersionHash',
  'StorageVersionMigrator',
  'StrictCostEnforcementForVAP',
  'StrictCostEnforcementForWebhooks',
  'StructuredAuthenticationConfiguration',
  'StructuredAuthorizationConfiguration',
  'SupplementalGroupsPolicy',
  'UserNamespacesPodSecurityStandards',
  'UserNamespacesSupport',
  'VolumeAttributesClass',
  'WatchList',
]

/** Gates for all of a stage that nothing is said of by name. */
const WHOLE_STAGES: Record<string, string> = { AllAlpha: 'ALPHA', AllBeta: 'BETA' }

/** @throws OptionError */
export function gatesOf(given: Readonly<Record<string, boolean>>): Record<string, boolean> {
  for (const [name, on] of Object.entries(given)) checkGate(name, on)
  const gates: Record<string, boolean> = {}
  for (const [name, gate] of Object.entries(FEATURE_GATES))
    setMember(gates, name, entryOf(given, name) ?? ofStage(name, gate, given) ?? gate.default)
  if (gates.AuthorizeNodeWithSelectors && !gates.AuthorizeWithSelectors)
    throw new OptionError(
      'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled',
    )
  if (gates.ServiceAccountTokenNodeBinding && !gates.ServiceAccountTokenNodeBindingValidation) {
    const [bound, needed] = [
      '"ServiceAccountTokenNodeBinding"',
      '"ServiceAccountTokenNodeBindingValidation"',
    ]
    throw new OptionError(
      `the ${bound} feature gate can only be enabled if the ${needed} feature gate is also enabled`,
    )
  }
  return gates
}

function checkGate(name: string, on: boolean): void {
  const known = entryOf(FEATURE_GATES, name)
  if (known === undefined) throw new OptionError(`unrecognized feature gate: ${name}`)
  if (known.stage === 'GA' && !on)
    throw new OptionError(
      `cannot set feature gate ${name} to ${on}, feature is locked to ${known.default}`,
    )
  if (
    on !== known.default &&
    !OBEYED_GATES.includes(name) &&
    entryOf(WHOLE_STAGES, name) === undefined
  )
    throw new OptionError(`feature gate ${name} cannot be changed here`)
}

/** What a gate for its whole stage makes of it: alpha features on, beta features off or on. */
function ofStage(
  name: string,
  { stage }: FeatureGate,
  given: Readonly<Record<string, boolean>>,
): boolean | undefined {
  if (!OBEYED_GATES.includes(name)) return undefined
  const [whole] = Object.entries(WHOLE_STAGES).find(([, of]) => of === stage) ?? []
  return whole === undefined ? undefined : entryOf(given, whole)
}

/** What the log says to who sets gates that will go: rule 10. */
export function gateWarnings(given: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(given).flatMap(([name, on]) => {
    const stage = entryOf(FEATURE_GATES, name)?.stage
    if (stage === 'GA')
      return [`Setting GA feature gate ${name}=${on}. It will be removed in a future release.`]
    return stage === 'DEPRECATED'
      ? [`Setting deprecated feature gate ${name}=${on}. It will be removed in a future release.`]
      : []
  })
}

/** A line of help for each gate that may be switched: `WatchList=true|false (ALPHA - default=false)`. */
export function gateHelp(): string[] {
  return [...OBEYED_GATES, ...Object.keys(WHOLE_STAGES)].flatMap((name) => {
    const gate = entryOf(FEATURE_GATES, name)
    return gate ? [`${name}=true|false (${gate.stage} - default=${gate.default})`] : []
  })
}
