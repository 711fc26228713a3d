/** The versions in which a kind is served, as ownership sees them: entries of managedFields speak of the version they were written in. */
import type { KindVersions } from '../apply/versions'
import { type JsonObject, type KubeObject, parseApiVersion } from '../object'
import type { RequestContext } from './request-context'
import type { Resource } from './resource'

export function versionsOf({ engine, resource }: RequestContext): KindVersions {
  const inVersion = (apiVersion: string): Resource | undefined => {
    const { group, version } = parseApiVersion(apiVersion)
    return group === resource.group ? engine.resources.find(group, version, resource.resource) : undefined
  }
  return {
    typeOf: (apiVersion) => inVersion(apiVersion)?.type,
    convert(object, from, to) {
      const draft = object as unknown as KubeObject
      const hub = inVersion(from)?.toHub?.(draft) ?? draft
      return (inVersion(to)?.fromHub?.(hub) ?? hub) as unknown as JsonObject
    },
  }
}
