/** The versions in which a kind is served, as ownership sees them: entries of managedFields speak of the version they were written in. */
import type { KindVersions } from '../apply/versions'
import type { Engine } from '../engine'
import { ApiError, serverError } from '../http/status'
import { type JsonObject, type KubeObject, parseApiVersion } from '../object'
import { canonicalize } from '../schema/canonical'
import type { StructType } from '../schema/model'
import type { Resource, SlowConversion } from './resource'

/** Made for every write, and rarely asked: most objects are written through one version. */
export class ServedVersions implements KindVersions {
  private known: ConversionCache | undefined

  constructor(
    private readonly engine: Engine,
    private readonly resource: Resource,
  ) {}

  get resetTogether(): boolean {
    return !this.resource.custom
  }

  typeOf(apiVersion: string): StructType | undefined {
    const found = this.inVersion(apiVersion)
    if (found === undefined && this.resource.custom)
      throw serverError(`request to convert CR to an invalid group/version: ${apiVersion}`)
    return found?.type
  }

  convert(object: JsonObject, from: string, to: string): JsonObject {
    const { conversion } = this.resource
    if (conversion) return convertedBy(conversion, (this.known ??= new Map()), object, to)
    // Versions of a definition differ by nothing but their names: nulls stay, and so does what the other version does not know.
    if (this.resource.custom) return { ...object, apiVersion: to }
    // What is left of an object may have lost its metadata.
    const draft = { ...object, metadata: object.metadata ?? {} } as unknown as KubeObject
    const hub = this.inVersion(from)?.toHub?.(draft) ?? draft
    const target = this.inVersion(to)
    const converted = { ...(target?.fromHub?.(hub) ?? hub), apiVersion: to }
    // Converted objects are structures, with all members that are always written.
    return (target === undefined
      ? converted
      : canonicalize(target.type, converted)) as unknown as JsonObject
  }

  private inVersion(apiVersion: string): Resource | undefined {
    const { engine, resource } = this
    const { group, version } = parseApiVersion(apiVersion)
    // What another group wrote into the same stored objects (events) is unknown here, and forgotten (recorded).
    if (group !== resource.group) return undefined
    return resource.versions
      ? resource.versions.get(version)
      : engine.resources.findInside(group, version, resource.resource)
  }
}

/** What has been converted for one write, by the object's text and the version, and what could not be. */
type ConversionCache = Map<string, JsonObject | ApiError>

/** Something must be converted first by somebody who has to be waited for. */
class ConversionPending extends Error {
  constructor(readonly convert: () => Promise<void>) {
    super('not converted yet')
  }
}

function convertedBy(
  conversion: SlowConversion,
  known: ConversionCache,
  object: JsonObject,
  to: string,
): JsonObject {
  const key = `${to} ${JSON.stringify(object)}`
  const found = known.get(key)
  if (found instanceof ApiError) throw found
  if (found !== undefined) return found
  throw new ConversionPending(async () => {
    known.set(key, await conversion.convertAsIs(object, to).catch(asFailure))
  })
}

/** A failure is told where the conversion is needed, with what it was needed for. */
function asFailure(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

/**
 * Runs what may need other versions: at once, or again each time that one which it found missing has been converted.
 * @param run leaves nothing behind when it is broken off
 */
export function whenConverted<Result>(run: () => Result): Result | Promise<Result> {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ConversionPending)) throw error
    return error.convert().then(() => whenConverted(run))
  }
}
