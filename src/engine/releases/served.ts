/**
 * `--runtime-config`: stages take effect first, then versions, then resources. See kubernetes.io,
 * "kube-apiserver".
 */

import { entryOf } from '../core/object'
import type { DiscoveryGroup, DiscoveryVersion } from '../generated/discovery'
import { BASE_RELEASE } from '../release-tables/minor'
import { discoveryOf, type ReleaseDiscovery } from './discovery'
import type { Release } from './release'

/** An unknown name, or a value that is not a boolean. */
export class RuntimeConfigError extends Error {}

type Switch = 'api/all' | 'api/ga' | 'api/beta' | 'api/alpha'

/** Later stages override earlier ones. */
const STAGES: [Switch, RegExp][] = [
  ['api/all', /./],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
]

const TRUE = new Set(['', '1', 't', 'T', 'true', 'TRUE', 'True'])
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])

/**
 * Feature gates by group and resource, without which no version of a resource is served
 * (k8s.io/kubernetes, `pkg/registry/GROUP/rest`, releases 1.31 to 1.37).
 */
const GATED: Readonly<Record<string, string>> = {
  'certificates.k8s.io/clustertrustbundles': 'ClusterTrustBundle',
  'certificates.k8s.io/podcertificaterequests': 'PodCertificateRequest',
  'lifecycle.k8s.io/evictionrequests': 'EvictionRequestAPI',
  'lifecycle.k8s.io/evictions': 'EvictionRequestAPI',
  'scheduling.k8s.io/compositepodgroups': 'CompositePodGroup',
  'scheduling.k8s.io/podgroups': 'GenericWorkload',
  'scheduling.k8s.io/workloads': 'GenericWorkload',
  'storagemigration.k8s.io/storageversionmigrations': 'StorageVersionMigrator',
}

/**
 * @param config `api/all`, `storage.k8s.io/v1beta1` or `apps/v1/deployments` (the core group is
 * `api`, or empty), each with `true`, `false` or empty, which means true
 * @throws RuntimeConfigError
 */
export function servedGroups(
  config: Readonly<Record<string, string>> = {},
  release: Release = BASE_RELEASE,
  gates: Readonly<Record<string, boolean>> = {},
): DiscoveryGroup[] {
  const discovery = discoveryOf(release)
  const entries = Object.entries(config)
  if (entries.length === 0 && isUngated(discovery.byDefault, gates)) return discovery.byDefault
  const wanted = new Map(entries.map(([name, value]) => [name, isOn(name, value)]))
  checkNames(wanted, discovery)
  return discovery.all.flatMap((group) => {
    const name = group.metadata.name ?? ''
    const versions = group.versions.flatMap(
      (version) => servedVersion(name, ungated(name, version, gates), wanted, discovery) ?? [],
    )
    return versions.length > 0 ? [{ ...group, versions }] : []
  })
}

type Gates = Readonly<Record<string, boolean>>

function isOpen(group: string, resource: string, gates: Gates): boolean {
  const gate = entryOf(GATED, `${group}/${resource}`)
  return gate === undefined || entryOf(gates, gate) === true
}

/** Whether the gates of all resources are on, so that the table can be used as it is. */
function isUngated(groups: readonly DiscoveryGroup[], gates: Gates): boolean {
  return groups.every(({ metadata: { name = '' }, versions }) =>
    versions.every(({ resources }) =>
      resources.every(({ resource }) => isOpen(name, resource, gates)),
    ),
  )
}

function ungated(group: string, version: DiscoveryVersion, gates: Gates): DiscoveryVersion {
  const resources = version.resources.filter(({ resource }) => isOpen(group, resource, gates))
  return resources.length === version.resources.length ? version : { ...version, resources }
}

/** @throws RuntimeConfigError */
export function isOn(name: string, value: string): boolean {
  if (TRUE.has(value)) return true
  if (FALSE.has(value)) return false
  throw new RuntimeConfigError(
    `runtime-config ${name}=${value}: invalid value, must be true or false`,
  )
}

function servedVersion(
  group: string,
  version: DiscoveryVersion,
  wanted: Map<string, boolean>,
  { byDefault: unasked }: ReleaseDiscovery,
): DiscoveryVersion | undefined {
  const stages = STAGES.filter(
    ([name, pattern]) => wanted.has(name) && pattern.test(version.version),
  )
  const stage = stages.map(([name]) => wanted.get(name)).at(-1)
  const whole = wanted.get(versionName(group, version.version)) ?? stage
  const byDefault = new Set(resourcesIn(unasked, group, version.version))
  const resources = version.resources.filter(
    ({ resource }) =>
      wanted.get(`${versionName(group, version.version)}/${resource}`) ??
      whole ??
      byDefault.has(resource),
  )
  return resources.length > 0 ? { ...version, resources } : undefined
}

const versionName = (group: string, version: string): string =>
  `${group === '' ? 'api' : group}/${version}`

function resourcesIn(groups: DiscoveryGroup[], group: string, version: string): string[] {
  const found = groups
    .find(({ metadata }) => (metadata.name ?? '') === group)
    ?.versions.find((other) => other.version === version)
  return (found?.resources ?? []).map(({ resource }) => resource)
}

function checkNames(wanted: Map<string, boolean>, { all }: ReleaseDiscovery): void {
  const groups = new Set(all.map(({ metadata }) => metadata.name ?? 'api'))
  for (const name of [...wanted.keys()].filter((key) => !STAGES.some(([stage]) => stage === key))) {
    const [group = '', version] = name.split('/')
    if (!groups.has(group) || version === undefined)
      throw new RuntimeConfigError(`unknown api groups ${group}`)
    const known = all.some(
      ({ metadata, versions }) =>
        (metadata.name ?? 'api') === group && versions.some((other) => other.version === version),
    )
    if (!known)
      throw new RuntimeConfigError(`group version ${group}/${version} that has not been registered`)
  }
}
