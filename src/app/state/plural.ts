import type { ServedResource } from './discovery'

/** `ConfigMaps`, `NetworkPolicies`. */
export function pluralOf({ kind, resource }: Pick<ServedResource, 'kind' | 'resource'>): string {
  let same = 0
  while (same < kind.length && kind[same]?.toLowerCase() === resource[same]) same++
  return kind.slice(0, same) + resource.slice(same)
}
