/** What aggregated servers serve, among what this one serves itself (public documentation, "Aggregated Discovery"). */
import { compareVersions, type ServedGroup, type ServedResource, type ServedVersion } from '../encoding/discovery'
import { API_DOMAIN } from '../names'
import { isJsonObject, type Json, type JsonObject } from '../object'
import type { RemoteVersion, RemoteVersions } from './remote-versions'

const FIRST = `apiregistration.${API_DOMAIN}`

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const texts = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(text) : [])

/** The resources of an APIResourceList; undefined if the document is none. */
export function resourcesIn(document: Json, { group, version }: Pick<RemoteVersion, 'group' | 'version'>): ServedResource[] | undefined {
  if (!isJsonObject(document) || document.kind !== 'APIResourceList' || !Array.isArray(document.resources)) return undefined
  const entries = document.resources.filter(isJsonObject)
  const kindOf = (entry: JsonObject) => ({
    group: text(entry.group) || group,
    version: text(entry.version) || version,
    kind: text(entry.kind),
  })
  return entries
    .filter((entry) => !text(entry.name).includes('/'))
    .map((entry): ServedResource => {
      const name = text(entry.name)
      const subresources = entries
        .filter((other) => text(other.name).startsWith(`${name}/`))
        .map((other) => ({ subresource: text(other.name).slice(name.length + 1), responseKind: kindOf(other), verbs: texts(other.verbs) }))
      return {
        resource: name,
        responseKind: kindOf(entry),
        scope: entry.namespaced === true ? 'Namespaced' : 'Cluster',
        singularResource: text(entry.singularName),
        verbs: texts(entry.verbs),
        ...(texts(entry.shortNames).length > 0 ? { shortNames: texts(entry.shortNames) } : {}),
        ...(texts(entry.categories).length > 0 ? { categories: texts(entry.categories) } : {}),
        ...(subresources.length > 0 ? { subresources } : {}),
      }
    })
}

/**
 * All groups in the order of their priorities. A version that cannot be asked stays in its place; what is known of it is old.
 * @param own the groups that this server serves itself
 */
export function withRemoteGroups(own: ServedGroup[], remotes: RemoteVersions): ServedGroup[] {
  const groups = new Map<string, ServedGroup>(own.map((group) => [group.metadata.name ?? '', group]))
  for (const remote of remotes.all()) {
    const { group: name } = remote
    const known = groups.get(name) ?? { metadata: { name, creationTimestamp: null }, versions: [] }
    const others = known.versions.filter(({ version }) => version !== remote.version)
    groups.set(name, { ...known, versions: [...others, servedVersion(remote)].sort(byVersion(name, remotes)) })
  }
  // What lists the APIServices needs none itself: it is always there, and first.
  const highest = ({ metadata: { name = '' }, versions }: ServedGroup): number =>
    name === FIRST ? Number.POSITIVE_INFINITY : Math.max(...versions.map(({ version }) => remotes.priorityOf(name, version).group))
  const ranked = [...groups.values()].map((group) => ({ group, name: group.metadata.name ?? '', rank: highest(group) }))
  return ranked.sort((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1)).map(({ group }) => group)
}

const servedVersion = ({ version, available, resources }: RemoteVersion): ServedVersion => ({
  version,
  resources: resources ?? [],
  freshness: available && resources !== undefined ? 'Current' : 'Stale',
})

function byVersion(group: string, remotes: RemoteVersions): (a: ServedVersion, b: ServedVersion) => number {
  return (a, b) =>
    remotes.priorityOf(group, b.version).version - remotes.priorityOf(group, a.version).version || compareVersions(a.version, b.version)
}
