/** The plural display name of a kind. */
import type { ServedResource } from './discovery'

/** `ConfigMaps`, `NetworkPolicies`: capitals of the kind, plural of the resource. */
export function pluralOf({ kind, resource }: Pick<ServedResource, 'kind' | 'resource'>): string {
  let same = 0
  while (same < kind.length && kind[same]?.toLowerCase() === resource[same]) same++
  return kind.slice(0, same) + resource.slice(same)
}
