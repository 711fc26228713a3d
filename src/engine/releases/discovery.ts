/** Derived from a generated table and lifecycles. */

import { memoizeByIdentity } from '../core/identity-memo'
import { apiVersionOf, entryOf } from '../core/object'
import {
  DISCOVERY,
  DISCOVERY_ALL,
  type DiscoveryGroup,
  type DiscoveryResource,
  type DiscoveryVersion,
} from '../generated/discovery'
import { BASE_RELEASE } from '../release-tables/minor'
import { type ReleaseTables, tablesOf } from '../release-tables/tables'
import { conversionOf } from './conversion'
import {
  existsIn,
  isOnByDefault,
  type Lifecycle,
  lifecycleOf,
  type Stage,
  stageOf,
} from './lifecycle'
import { compareReleases, hasCome, RELEASES, type Release, releaseAfter } from './release'
import {
  GONE_GROUPS,
  GONE_RESOURCES,
  LATER_SUBRESOURCES,
  OLDER_KINDS,
  OWN_SCALE,
  REMOVED_VERSIONS,
  VERSION_ORDER,
  WITH_ROLLBACK,
} from './resources'

export interface ServedKind {
  group: string
  version: string
  apiVersion: string
  kind: string
  resource: string
  namespaced: boolean
  stage: Stage
  lifecycle: Lifecycle
}

export interface ReleaseDiscovery {
  all: DiscoveryGroup[]
  byDefault: DiscoveryGroup[]
}

const known = new Map<Release, ReleaseDiscovery>()

export function discoveryOf(release: Release): ReleaseDiscovery {
  if (release === BASE_RELEASE) return { all: DISCOVERY_ALL, byDefault: DISCOVERY }
  const tables = recordedTables(release)
  if (tables === undefined) {
    const found = known.get(release) ?? makeDiscovery(release)
    known.set(release, found)
    return found
  }
  return recordedDiscovery(tables)
}

const recordedDiscovery = memoizeByIdentity((tables: ReleaseTables): ReleaseDiscovery => {
  const all = tables.table('discoveryAll')
  const byDefault = tables.table('discovery')
  const release = tables.release as Release
  return {
    all: withStorageVersions(all, all, release, tables),
    byDefault: withStorageVersions(byDefault, all, release, tables),
  }
})

/** Of the release, or of the nearest recorded release below. */
export function recordedTables(release: Release): ReleaseTables | undefined {
  const tables = tablesOf(release)
  return tables?.isRecorded ? tables : undefined
}

/** Those served by default. */
export function servedVersions(release: Release): ServedKind[] {
  return kindsIn(discoveryOf(release).byDefault)
}

/** `--runtime-config=api/all=true` */
export function allVersions(release: Release): ServedKind[] {
  return kindsIn(discoveryOf(release).all)
}

function kindsIn(groups: DiscoveryGroup[]): ServedKind[] {
  return groups.flatMap(({ metadata: { name: group = '' }, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map(({ resource, scope, responseKind: { kind } }) => ({
        group,
        version,
        apiVersion: apiVersionOf(group, version),
        kind,
        resource,
        namespaced: scope === 'Namespaced',
        stage: stageOf(version),
        lifecycle: lifecycleOf(group, version, kind) ?? { introduced: '1.0' },
      })),
    ),
  )
}

function makeDiscovery(release: Release): ReleaseDiscovery {
  const select = (isServed: (group: string, version: string, lifecycle: Lifecycle) => boolean) =>
    everyGroup().flatMap(({ metadata, versions }) => {
      const group = metadata.name ?? ''
      const served = versions.flatMap((version) => {
        const resources = version.resources.flatMap((resource) => {
          const lifecycle = lifecycleOf(group, version.version, resource.responseKind.kind)
          const isThere =
            lifecycle !== undefined &&
            existsIn(lifecycle, release) &&
            isServed(group, version.version, lifecycle)
          return isThere ? [withoutLater(resource, release)] : []
        })
        return resources.length > 0 ? [{ ...version, resources }] : []
      })
      return served.length > 0 ? [{ metadata, versions: inOrder(group, served, release) }] : []
    })
  const all = select(() => true)
  return {
    all: withStorageVersions(all, all, release),
    byDefault: withStorageVersions(select(isOnByDefault), all, release),
  }
}

/** Only if it is not the first version with the kind. */
function withStorageVersions(
  served: DiscoveryGroup[],
  all: DiscoveryGroup[],
  release: Release,
  tables?: ReleaseTables,
): DiscoveryGroup[] {
  return served.map((group) => {
    const name = group.metadata.name ?? ''
    const versions = group.versions.map((version) => ({
      ...version,
      resources: version.resources.map((resource) => {
        const { kind } = resource.responseKind
        const hub = conversionOf(apiVersionOf(name, version.version), kind)?.hub.group ?? name
        const stored = storageVersionIn(all, hub, kind, release, tables)
        const first = group.versions.find(({ resources }) =>
          resources.some((other) => other.resource === resource.resource),
        )
        if (hub === '' || stored === undefined || (hub === name && stored === first?.version))
          return resource
        return { ...resource, storedAs: { group: hub, version: stored } }
      }),
    }))
    return { ...group, versions }
  })
}

let groups: DiscoveryGroup[] | undefined

function everyGroup(): DiscoveryGroup[] {
  if (groups !== undefined) return groups
  const every = DISCOVERY_ALL.map((group) => ({ ...group, versions: [...group.versions] }))
  for (const [name, before] of Object.entries(GONE_GROUPS)) {
    const place = every.findIndex(({ metadata }) => metadata.name === before)
    every.splice(place + 1, 0, { metadata: { name, creationTimestamp: null }, versions: [] })
  }
  for (const { group, version, like, resources } of REMOVED_VERSIONS) {
    const found = every.find(({ metadata }) => metadata.name === group)
    if (found === undefined) throw new Error(`no group ${group}`)
    const present = found.versions.find((other) => other.version === version)
    const added = resources.map((resource) =>
      removedResource(apiVersionOf(group, version), resource, like),
    )
    const all = [...(present?.resources ?? []), ...added].sort((a, b) =>
      a.resource < b.resource ? -1 : 1,
    )
    const changed: DiscoveryVersion = { version, freshness: 'Current', ...present, resources: all }
    found.versions = [...found.versions.filter((other) => other !== present), changed]
  }
  groups = every
  return every
}

function removedResource(
  apiVersion: string,
  name: string,
  like: { group: string; version: string },
): DiscoveryResource {
  const described = DISCOVERY_ALL.find(({ metadata }) => metadata.name === like.group)
    ?.versions.find(({ version }) => version === like.version)
    ?.resources.find(({ resource }) => resource === name)
  const resource = described ?? entryOf(GONE_RESOURCES, name)
  if (resource === undefined) throw new Error(`nothing describes ${apiVersion} ${name}`)
  if (resource.subresources === undefined) return resource
  const own = resource.subresources.map((sub) =>
    sub.subresource === 'scale' && OWN_SCALE.includes(apiVersion)
      ? { ...sub, responseKind: { group: '', version: '', kind: 'Scale' } }
      : sub,
  )
  const rollback = name === 'deployments' ? entryOf(WITH_ROLLBACK, apiVersion) : undefined
  return { ...resource, subresources: rollback ? [rollback, ...own] : own }
}

function withoutLater(resource: DiscoveryResource, release: Release): DiscoveryResource {
  const later = entryOf(LATER_SUBRESOURCES, resource.resource) ?? {}
  const older = OLDER_KINDS.filter(
    (kind) => kind.resource === resource.resource && !hasCome(kind.until, release),
  )
  if (
    resource.subresources === undefined ||
    (Object.keys(later).length === 0 && older.length === 0)
  )
    return resource
  const there = resource.subresources.filter(({ subresource }) =>
    hasCome(entryOf(later, subresource) ?? RELEASES[0], release),
  )
  const subresources = there.map((sub) => {
    const { version } = older.find(({ subresource }) => subresource === sub.subresource) ?? {}
    return version === undefined ? sub : { ...sub, responseKind: { ...sub.responseKind, version } }
  })
  return { ...resource, subresources }
}

function inOrder(
  group: string,
  versions: DiscoveryVersion[],
  release: Release,
): DiscoveryVersion[] {
  const order = entryOf(VERSION_ORDER, group)
  const sorted = [...versions].sort((a, b) =>
    order ? order.indexOf(a.version) - order.indexOf(b.version) : byStage(a.version, b.version),
  )
  const preferred = sorted.find(({ version, resources }) =>
    resources.some(({ responseKind }) =>
      wasServedBefore(group, version, responseKind.kind, release),
    ),
  )
  return preferred === undefined
    ? sorted
    : [preferred, ...sorted.filter((version) => version !== preferred)]
}

/** Kubernetes Deprecation Policy, rule 4b. */
function wasServedBefore(
  group: string,
  version: string,
  kind: string,
  release: Release,
  tables?: ReleaseTables,
): boolean {
  const lifecycle = lifecycleOf(group, version, kind, tables)
  return (
    lifecycle !== undefined && compareReleases(lifecycle.introduced, releaseAfter(release, -1)) <= 0
  )
}

const STAGES: Stage[] = ['stable', 'beta', 'alpha']

function byStage(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => ({
    stage: STAGES.indexOf(stageOf(version)),
    numbers: (version.match(/\d+/g) ?? []).map(Number),
  }))
  if (left === undefined || right === undefined) return 0
  const [major, minor] = [0, 1].map((i) => (right.numbers[i] ?? 0) - (left.numbers[i] ?? 0))
  return left.stage - right.stage || (major ?? 0) || (minor ?? 0)
}

/**
 * The preferred one once the previous release served it, so that a downgrade is possible
 * (Kubernetes Deprecation Policy, rule 4b).
 */
export function storageVersionOf(
  group: string,
  kind: string,
  release: Release,
): string | undefined {
  return storageVersionIn(discoveryOf(release).all, group, kind, release, recordedTables(release))
}

/** See k8s.io/kubernetes, pkg/kubeapiserver/default_storage_factory_builder.go. */
const STORED_EARLIER: Record<string, { version: string; until: string }> = {
  'storage.k8s.io VolumeAttributesClass': { version: 'v1beta1', until: '1.36' },
}

function storageVersionIn(
  groups: DiscoveryGroup[],
  group: string,
  kind: string,
  release: Release,
  tables?: ReleaseTables,
): string | undefined {
  const versions = groups.find(({ metadata }) => (metadata.name ?? '') === group)?.versions ?? []
  const having = versions.filter(({ resources }) =>
    resources.some(({ responseKind }) => responseKind.kind === kind),
  )
  const earlier = entryOf(STORED_EARLIER, `${group} ${kind}`)
  if (
    earlier !== undefined &&
    !hasCome(earlier.until, release) &&
    having.some(({ version }) => version === earlier.version)
  )
    return earlier.version
  const old = having.find(
    ({ version }) =>
      wasServedBefore(group, version, kind, release, tables) && stageOf(version) !== 'alpha',
  )
  return (old ?? having[0])?.version
}
