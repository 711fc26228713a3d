/**
 * Stored objects are converted before they are shown, written ones at the end. See kubernetes.io,
 * "Webhook conversion".
 */

import { equalJson, type JsonObject, type KubeObject } from '../../core/object'
import { serverError } from '../../http/status'
import type { SlowConversion } from '../../registry/resource'
import type { StoredObject } from '../../storage/storage'
import { type Convertible, withoutEmptyValues } from './metadata'
import type { WebhookConverter } from './webhook-converter'

export interface VersionForm {
  /** With defaults, cached. */
  read(object: KubeObject): KubeObject
  /** For an object that may change. */
  complete(object: KubeObject): KubeObject
  /** For objects from the webhook. */
  pruned(object: KubeObject): KubeObject
}

/** @throws ApiError 500 for a removed version */
export function formIn(forms: ReadonlyMap<string, VersionForm>, apiVersion: string): VersionForm {
  const form = forms.get(apiVersion)
  if (form === undefined)
    throw serverError(`request to convert CR from an invalid group/version: ${apiVersion}`)
  return form
}

export class ConvertedVersion implements SlowConversion {
  private readonly known = new WeakMap<KubeObject, KubeObject>()
  private readonly converting = new WeakMap<KubeObject, Promise<void>>()

  /** @param encodedAs names encodings, which are rebuilt when a conversion changes */
  constructor(
    private readonly apiVersion: string,
    private readonly forms: ReadonlyMap<string, VersionForm>,
    private readonly converter: WebhookConverter,
    private readonly encodedAs: string,
  ) {}

  /** Other versions need `prepare` first. */
  shown(object: KubeObject): KubeObject {
    if (object.apiVersion === this.apiVersion)
      return formIn(this.forms, this.apiVersion).read(object)
    const found = this.known.get(object)
    if (found === undefined)
      throw new Error(
        `an object of ${object.apiVersion} was not converted into ${this.apiVersion} before it was needed`,
      )
    return found
  }

  /** Calls the conversion webhook once per object, in order, as kube-apiserver does. */
  async prepare(
    found: readonly (KubeObject | StoredObject)[],
    which: 'all' | 'missing',
  ): Promise<void> {
    for (const one of found) {
      const object = objectOf(one)
      if (object.apiVersion === this.apiVersion) continue
      if (which === 'all') this.cache(one, await this.convert(object, this.apiVersion))
      else if (!this.known.has(object)) await this.convertForWatches(one, object)
    }
  }

  async prepareForUpdate(found: StoredObject): Promise<boolean> {
    const { object } = found
    if (object.apiVersion === this.apiVersion) return true
    const cached = this.known.get(object)
    if (cached === undefined) await this.prepare([found], 'all')
    else await this.convertAsIs(cached as unknown as JsonObject, object.apiVersion)
    return cached !== undefined
  }

  /** Watches share a call, as with kube-apiserver's watch cache. */
  private convertForWatches(one: KubeObject | StoredObject, object: KubeObject): Promise<void> {
    const underway = this.converting.get(object)
    if (underway !== undefined) return underway
    const converting = this.convert(object, this.apiVersion)
      .then((converted) => this.cache(one, converted))
      .finally(() => this.converting.delete(object))
    this.converting.set(object, converting)
    return converting
  }

  async convert(object: KubeObject, apiVersion: string): Promise<KubeObject> {
    if (object.apiVersion === apiVersion) return object
    const target = this.formOf(apiVersion)
    const converted = await this.converter.convert(
      formIn(this.forms, object.apiVersion).complete(object),
      apiVersion,
    )
    return target.pruned(withoutEmptyValues(converted))
  }

  /** Without new defaults. */
  async stored(object: KubeObject, apiVersion: string): Promise<KubeObject> {
    const converted = (await this.convertAsIs(
      object as unknown as JsonObject,
      apiVersion,
    )) as unknown as KubeObject
    return this.formOf(apiVersion).pruned(withoutEmptyValues(converted))
  }

  async convertAsIs(part: JsonObject, apiVersion: string): Promise<JsonObject> {
    if (part.apiVersion === apiVersion) return part
    this.formOf(apiVersion)
    // An object without content needs no conversion. See k8s.io/apiextensions-apiserver,
    // pkg/apiserver/conversion.
    if (Object.keys(part).length === 2) return { ...part, apiVersion }
    const converted = await this.converter.convert(part as unknown as Convertible, apiVersion)
    return converted as unknown as JsonObject
  }

  private formOf(apiVersion: string): VersionForm {
    const target = this.forms.get(apiVersion)
    if (target === undefined)
      throw serverError(`request to convert CR to an invalid group/version: ${apiVersion}`)
    return target
  }

  private cache(one: KubeObject | StoredObject, converted: KubeObject): void {
    const object = objectOf(one)
    if (equalJson(this.known.get(object), converted)) return
    this.known.set(object, converted)
    if (isStored(one)) one.encoded?.delete(this.encodedAs)
  }
}

const isStored = (one: KubeObject | StoredObject): one is StoredObject =>
  'encoded' in one && 'object' in one && !('metadata' in one)
const objectOf = (one: KubeObject | StoredObject): KubeObject => (isStored(one) ? one.object : one)
