import type { AccessResource } from '../authorization/access-queries/types'
import type { ServedGroup } from '../encoding/discovery'

/** Each once, in its preferred version and the order of discovery. */
export function servedResources(groups: readonly ServedGroup[]): AccessResource[] {
  const found = new Map<string, AccessResource>()
  for (const { metadata, versions } of groups) {
    const group = metadata.name ?? ''
    for (const { version, resources } of versions) {
      for (const { resource, scope, verbs, subresources = [] } of resources) {
        const namespaced = scope === 'Namespaced'
        const add = (name: string, served: readonly string[]) => {
          const key = `${group}/${name}`
          if (!found.has(key))
            found.set(key, { group, version, resource: name, namespaced, verbs: served })
        }
        add(resource, verbs)
        for (const { subresource, verbs: ofIt } of subresources)
          add(`${resource}/${subresource}`, ofIt)
      }
    }
  }
  return [...found.values()]
}
