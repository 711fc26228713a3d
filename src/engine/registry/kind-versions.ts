/** The versions in which a kind is served, as ownership sees them: entries of managedFields speak of the version they were written in. */
import type { KindVersions } from '../apply/versions'
import { serverError } from '../http/status'
import { type JsonObject, type KubeObject, parseApiVersion } from '../object'
import type { RequestContext } from './request-context'
import type { Resource } from './resource'

export function versionsOf({ engine, resource }: RequestContext): KindVersions {
  const inVersion = (apiVersion: string): Resource | undefined => {
    const { group, version } = parseApiVersion(apiVersion)
    // What another group wrote into the same stored objects (events) is unknown here, and forgotten (recorded).
    if (group !== resource.group) return undefined
    return resource.versions ? resource.versions.get(version) : engine.resources.find(group, version, resource.resource)
  }
  return {
    typeOf(apiVersion) {
      const found = inVersion(apiVersion)
      if (found === undefined && resource.custom) throw serverError(`request to convert CR to an invalid group/version: ${apiVersion}`)
      return found?.type
    },
    convert(object, from, to) {
      const draft = object as unknown as KubeObject
      const hub = inVersion(from)?.toHub?.(draft) ?? draft
      return { ...(inVersion(to)?.fromHub?.(hub) ?? hub), apiVersion: to } as unknown as JsonObject
    },
  }
}
