/**
 * The resources of a server that emulates an earlier release: those that came later are not served,
 * unless the server is forward compatible (k8s.io/apiserver, `pkg/server/deleted_kinds.go`).
 */
import type { DiscoveryGroup, DiscoveryResource } from '../generated/discovery'
import { tablesOf } from '../release-tables/tables'
import { discoveryOf } from './discovery'
import { lifecycleOf, stageOf } from './lifecycle'
import type { Release } from './release'
import { RuntimeConfigError } from './served'

export interface EmulatedResources {
  release: Release
  /** The emulated release. */
  version: Release
  /** Serves later versions of resources of which an earlier version, not alpha, is enabled. */
  forwardCompatible: boolean
  /** Serves later versions and resources that the configuration enables by name. */
  configForwardCompatible: boolean
  /** Whether the configuration enables `GROUP/VERSION`, or `GROUP/VERSION/RESOURCE`, by name. */
  isNamed(name: string): boolean
}

const CONSIDER = 'Consider setting --runtime-config-emulation-forward-compatible=true'

/**
 * @param groups the enabled groups of the server's own release
 * @throws RuntimeConfigError if the configuration enables what came later
 */
export function emulatedGroups(
  groups: readonly DiscoveryGroup[],
  emulation: EmulatedResources,
): DiscoveryGroup[] {
  const { version: emulated, isNamed } = emulation
  const earlier = discoveryOf(emulated).all
  return groups.flatMap((group) => {
    const name = group.metadata.name ?? ''
    const enabled = new Set<string>()
    // Versions are listed by priority. Lower ones decide on higher ones.
    const versions = group.versions.toReversed().flatMap((version) => {
      const groupVersion = `${name}/${version.version}`
      const resources = version.resources.flatMap((resource) => {
        const isLowerOn = enabled.has(resource.resource)
        return (
          resourceIn(earlier, [name, version.version, resource.resource]) ??
          (isServedAhead(emulation, groupVersion, { resource, isLowerOn }) ? resource : [])
        )
      })
      if (stageOf(version.version) !== 'alpha')
        for (const { resource } of resources) enabled.add(resource)
      if (resources.length > 0) return [{ ...version, resources }]
      if (!isNamed(groupVersion)) return []
      throw new RuntimeConfigError(
        `cannot enable version ${groupVersion} in runtime-config because all the resources have been introduced after the current version ${emulated}. ${CONSIDER}`,
      )
    })
    return versions.length > 0 ? [{ ...group, versions: versions.toReversed() }] : []
  })
}

/** Whether a resource that came after the emulated release is served. */
function isServedAhead(
  {
    release,
    version: emulated,
    forwardCompatible,
    configForwardCompatible,
    isNamed,
  }: EmulatedResources,
  groupVersion: string,
  { resource, isLowerOn }: { resource: DiscoveryResource; isLowerOn: boolean },
): boolean {
  if (forwardCompatible && isLowerOn) return true
  const isResourceNamed = isNamed(`${groupVersion}/${resource.resource}`)
  if (configForwardCompatible && (isResourceNamed || isNamed(groupVersion))) return true
  if (!isResourceNamed) return false
  const [group = '', version = ''] = groupVersion.split('/')
  const { introduced = release } =
    lifecycleOf(group, version, resource.responseKind.kind, tablesOf(release)) ?? {}
  throw new RuntimeConfigError(
    `cannot enable resource ${groupVersion}, Resource=${resource.resource} in runtime-config because it is introduced at ${introduced} after the current version ${emulated}. ${CONSIDER}`,
  )
}

function resourceIn(
  groups: readonly DiscoveryGroup[],
  [group, version, name]: [group: string, version: string, resource: string],
): DiscoveryResource | undefined {
  return groups
    .find(({ metadata }) => (metadata.name ?? '') === group)
    ?.versions.find((other) => other.version === version)
    ?.resources.find(({ resource }) => resource === name)
}
