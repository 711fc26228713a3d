/** Feature gates: the release's defaults, and those that may be changed here. */
import { FEATURE_GATES } from './facts/feature-gates'
import { OptionError } from './option-error'

/** Feature gates that the engine obeys; it stands still at the release's defaults of all others. */
export const OBEYED_GATES: readonly string[] = [
  'APIResponseCompression',
  'AnonymousAuthConfigurableEndpoints',
  'AuthorizeNodeWithSelectors',
  'AuthorizeWithSelectors',
  'ClusterTrustBundle',
  'CoordinatedLeaderElection',
  'DynamicResourceAllocation',
  'MultiCIDRServiceAllocator',
  'StorageVersionAPI',
  'StorageVersionMigrator',
  'VolumeAttributesClass',
  'WatchList',
]

/** @throws OptionError */
export function gatesOf(given: Readonly<Record<string, boolean>>): Record<string, boolean> {
  for (const [name, on] of Object.entries(given)) {
    const known = Object.hasOwn(FEATURE_GATES, name) ? FEATURE_GATES[name] : undefined
    if (known === undefined) throw new OptionError(`unrecognized feature gate: ${name}`)
    if (known.stage === 'GA' && !on)
      throw new OptionError(`cannot set feature gate ${name} to ${on}, feature is locked to ${known.default}`)
    if (on !== known.default && !OBEYED_GATES.includes(name)) throw new OptionError(`feature gate ${name} cannot be changed here`)
  }
  const defaults = Object.entries(FEATURE_GATES).map(([name, gate]) => [name, gate.default])
  const gates: Record<string, boolean> = { ...Object.fromEntries(defaults), ...given }
  if (gates.AuthorizeNodeWithSelectors && !gates.AuthorizeWithSelectors)
    throw new OptionError('AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled')
  return gates
}
