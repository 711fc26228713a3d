import type { ConversionCall, KindVersions } from '../apply/versions'
import { Pending } from '../core/maybe-promise'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  parseApiVersion,
} from '../core/object'
import { ApiError, serverError } from '../http/status'
import { canonicalize } from '../schema/canonical'
import type { StructType } from '../schema/model'
import type { Engine } from './engine'
import type { Resource, SlowConversion } from './resource'

/** Created for every write but rarely used. */
export class ServedVersions implements KindVersions {
  private known: ConversionCache | undefined

  /**
   * @param shown managedFields that a conversion webhook sees: an apply merges them with the live
   * object's
   */
  constructor(
    private readonly engine: Engine,
    private readonly resource: Resource,
    private readonly shown?: ManagedFieldsEntry[] | undefined,
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

  convert(object: JsonObject, from: string, to: string, call: ConversionCall): JsonObject {
    const { conversion } = this.resource
    if (conversion) {
      const known = (this.known ??= new Map())
      if (this.shown === undefined) return convertedBy(conversion, known, object, to, call)
      const shown = withManagedFields(object, this.shown as unknown as Json)
      return withManagedFields(convertedBy(conversion, known, shown, to, call), undefined)
    }
    // Without a webhook, versions differ only in apiVersion.
    if (this.resource.custom) return { ...object, apiVersion: to }
    const draft = { ...object, metadata: object.metadata ?? {} } as unknown as KubeObject
    const hub = this.inVersion(from)?.toHub?.(draft) ?? draft
    const target = this.inVersion(to)
    const converted = { ...(target?.fromHub?.(hub) ?? hub), apiVersion: to }
    // kube-apiserver converts to a Go structure, which has all members that Go always writes.
    return (target === undefined
      ? converted
      : canonicalize(target.type, converted)) as unknown as JsonObject
  }

  private inVersion(apiVersion: string): Resource | undefined {
    const { engine, resource } = this
    const { group, version } = parseApiVersion(apiVersion)
    // Two groups store the same events; fields of the other group are dropped (kube-apiserver
    // 1.31).
    if (group !== resource.group) return undefined
    return resource.versions
      ? resource.versions.get(version)
      : engine.resources.findInside(group, version, resource.resource)
  }
}

function withManagedFields(object: JsonObject, managedFields: Json | undefined): JsonObject {
  if (!isJsonObject(object.metadata)) return object
  const { managedFields: _replaced, ...others } = object.metadata
  const metadata = managedFields === undefined ? others : { ...others, managedFields }
  return { ...object, metadata }
}

/** By step and version; failed conversions are cached too. */
type ConversionCache = Map<string, JsonObject | ApiError>

function convertedBy(
  conversion: SlowConversion,
  known: ConversionCache,
  object: JsonObject,
  to: string,
  { step, times }: ConversionCall,
): JsonObject {
  const key = `${to} ${step}`
  const found = known.get(key)
  if (found instanceof ApiError) throw found
  if (found !== undefined) return found
  throw new Pending(async () => {
    for (let call = 0; call < times && !(known.get(key) instanceof ApiError); call++)
      known.set(key, await conversion.convertAsIs(object, to).catch(asFailure))
  })
}

function asFailure(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}
