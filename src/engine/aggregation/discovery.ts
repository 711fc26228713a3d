/** Merges discovery of aggregated servers (kubernetes.io, "Aggregated discovery"). */

import { largest } from '../core/lists'
import { API_DOMAIN } from '../core/names'
import { compareVersions, type ServedGroup, type ServedVersion } from '../encoding/discovery'
import type { RemoteVersion, RemoteVersions } from './remote-versions'

const FIRST = `apiregistration.${API_DOMAIN}`

/**
 * Sorts groups by priority; a version whose server is unavailable keeps its position, without
 * resources.
 */
export function withRemoteGroups(own: ServedGroup[], remotes: RemoteVersions): ServedGroup[] {
  const groups = new Map<string, ServedGroup>(
    own.map((group) => [group.metadata.name ?? '', group]),
  )
  for (const remote of remotes.all()) {
    const { group: name } = remote
    const known = groups.get(name) ?? { metadata: { name, creationTimestamp: null }, versions: [] }
    const others = known.versions.filter(({ version }) => version !== remote.version)
    groups.set(name, {
      ...known,
      versions: [...others, servedVersion(remote)].sort(byVersion(name, remotes)),
    })
  }
  const ranked = [...groups.values()].map((group) => ({
    group,
    name: group.metadata.name ?? '',
    rank: rankOf(group, remotes),
  }))
  return ranked
    .sort((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1))
    .map(({ group }) => group)
}

/** The group of APIService itself is always first. */
function rankOf(
  { metadata: { name = '' }, versions }: ServedGroup,
  remotes: RemoteVersions,
): number {
  return name === FIRST
    ? Number.POSITIVE_INFINITY
    : largest(versions.map(({ version }) => remotes.priorityOf(name, version).group))
}

/**
 * Orders groups as the unaggregated list does: by priority, then by APIService name, so
 * `v1.web.example` precedes `v2.app.example`. Recorded from kube-apiserver 1.31.
 */
export function inOrderOfServices(groups: ServedGroup[], remotes: RemoteVersions): ServedGroup[] {
  const ranked = groups.map((group) => {
    const { name = '' } = group.metadata
    const rank = rankOf(group, remotes)
    const first = group.versions.filter(
      ({ version }) => remotes.priorityOf(name, version).group === rank,
    )
    return {
      group,
      rank,
      service: first.map(({ version }) => `${version}.${name}`).sort()[0] ?? '',
    }
  })
  const compare = (a: string, b: string): number => (a < b ? -1 : 1)
  return ranked
    .sort((a, b) => b.rank - a.rank || (a.rank === 0 ? 0 : compare(a.service, b.service)))
    .map(({ group }) => group)
}

const servedVersion = ({ version, resources }: RemoteVersion): ServedVersion => ({
  version,
  resources: resources ?? [],
  freshness: resources === undefined ? 'Stale' : 'Current',
})

function byVersion(
  group: string,
  remotes: RemoteVersions,
): (a: ServedVersion, b: ServedVersion) => number {
  return (a, b) =>
    remotes.priorityOf(group, b.version).version - remotes.priorityOf(group, a.version).version ||
    compareVersions(a.version, b.version)
}
