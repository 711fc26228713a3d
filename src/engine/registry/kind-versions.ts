/** The versions in which a kind is served, as ownership sees them: entries of managedFields speak of the version they were written in. */
import type { KindVersions } from '../apply/versions'
import { serverError } from '../http/status'
import { type JsonObject, type KubeObject, parseApiVersion } from '../object'
import type { RequestContext } from './request-context'
import type { Resource, SlowConversion } from './resource'

export function versionsOf({ engine, resource }: RequestContext): KindVersions {
  const inVersion = (apiVersion: string): Resource | undefined => {
    const { group, version } = parseApiVersion(apiVersion)
    // What another group wrote into the same stored objects (events) is unknown here, and forgotten (recorded).
    if (group !== resource.group) return undefined
    return resource.versions ? resource.versions.get(version) : engine.resources.findInside(group, version, resource.resource)
  }
  const known: Known = new Map()
  return {
    typeOf(apiVersion) {
      const found = inVersion(apiVersion)
      if (found === undefined && resource.custom) throw serverError(`request to convert CR to an invalid group/version: ${apiVersion}`)
      return found?.type
    },
    convert(object, from, to) {
      if (resource.conversion) return convertedBy(resource.conversion, known, object, to)
      const draft = object as unknown as KubeObject
      const hub = inVersion(from)?.toHub?.(draft) ?? draft
      return { ...(inVersion(to)?.fromHub?.(hub) ?? hub), apiVersion: to } as unknown as JsonObject
    },
  }
}

/** What has been converted for one write, by the object's text and the version. */
type Known = Map<string, JsonObject>

/** Something must be converted first by somebody who has to be waited for. */
class Unconverted extends Error {
  constructor(readonly convert: () => Promise<void>) {
    super('not converted yet')
  }
}

function convertedBy(conversion: SlowConversion, known: Known, object: JsonObject, to: string): JsonObject {
  const key = `${to} ${JSON.stringify(object)}`
  const found = known.get(key)
  if (found !== undefined) return found
  throw new Unconverted(async () => {
    known.set(key, (await conversion.convert(object as unknown as KubeObject, to)) as unknown as JsonObject)
  })
}

/**
 * Runs what may need other versions: at once, or again each time that one which it found missing has been converted.
 * @param run leaves nothing behind when it is broken off
 */
export function whenConverted<Result>(run: () => Result): Result | Promise<Result> {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Unconverted)) throw error
    return error.convert().then(() => whenConverted(run))
  }
}
