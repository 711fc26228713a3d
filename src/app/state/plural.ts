/** How a kind is named where all of its objects are meant. */
import type { ServedResource } from './discovery'

/** `ConfigMaps`, `NetworkPolicies`: the kind's capitals with the resource's plural. */
export function pluralOf({ kind, resource }: Pick<ServedResource, 'kind' | 'resource'>): string {
  let same = 0
  while (same < kind.length && kind[same]?.toLowerCase() === resource[same]) same++
  return kind.slice(0, same) + resource.slice(same)
}
