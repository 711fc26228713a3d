/** PATCH: four content types, one way in (document 1, "Patch content types"). */
import { applyPatch } from '../apply/managers'
import { timestamp } from '../environment'
import { MEDIA_TYPE } from '../names'
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../object'
import { type Patched, patchObject } from '../patch/patched-object'
import { versionsOf } from '../registry/kind-versions'
import { dedupOwnerReferences } from '../registry/owner-references'
import { admissionAttributes, type RequestContext, targetOf } from '../registry/request-context'
import type { Resource } from '../registry/resource'
import type { Strategy } from '../registry/strategy'
import { updateObject } from '../registry/update'
import { convertObject, decodeObject } from '../schema/decode'
import { jsonTypeName } from '../schema/envelope'
import { readYaml, warningsOf, YamlSyntaxError } from '../schema/yaml-reader'
import { authorizeCreate } from './authorize'
import { bodyText, type Decoding, decodeValue, expectedOf, readBody } from './body'
import type { ApiResponse } from './messages'
import { type WriteOptions, writeOptions } from './options'
import { type Exchange, registryContext, respond } from './resource-handler'
import { badRequest, failure, notFound } from './status'
import { servedObject } from './stored-json'
import { matchName, settle, undeterminable } from './update-handler'

const BUILT_IN_TYPES = [MEDIA_TYPE.jsonPatch, MEDIA_TYPE.mergePatch, MEDIA_TYPE.strategicMergePatch, MEDIA_TYPE.applyPatch] as const
const CUSTOM_TYPES = [MEDIA_TYPE.jsonPatch, MEDIA_TYPE.mergePatch, MEDIA_TYPE.applyPatch] as const

export type PatchType = (typeof BUILT_IN_TYPES)[number]

/** @throws ApiError 415: built-in kinds are terse, custom resources name what they take (recorded) */
export function patchTypeOf(contentType: string | undefined, resource: Resource): PatchType {
  const type = (contentType ?? '').split(';')[0]?.trim() ?? ''
  if (resource.custom) {
    const found = CUSTOM_TYPES.find((known) => known === type)
    if (found) return found
    throw failure(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${CUSTOM_TYPES.join(', ')}`,
    )
  }
  const found = BUILT_IN_TYPES.find((known) => known === type)
  if (found) return found
  throw failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
}

export type SubresourceStrategy = Pick<Strategy, 'prepareForUpdate' | 'validateUpdate' | 'warningsOnUpdate'>

export async function handlePatch(exchange: Exchange, subresourceStrategy?: SubresourceStrategy): Promise<ApiResponse> {
  const { request, resource, info } = exchange
  const type = patchTypeOf(request.header('content-type'), resource)
  const bytes = await readBody(request)
  const options = writeOptions(info.query, 'PatchOptions', type === MEDIA_TYPE.applyPatch)
  const context = registryContext(exchange, options)
  const produce =
    type === MEDIA_TYPE.applyPatch
      ? applyProducer(exchange, context, bytes, options)
      : patchProducer(exchange, context, type, bytes, options)
  const { result, created } = await updateObject(context, {
    produce,
    allowCreate: type === MEDIA_TYPE.applyPatch && context.subresource === '',
    beforeCreate: () => authorizeCreate(exchange),
    ...(subresourceStrategy ? { subresourceStrategy } : {}),
  })
  return respond(exchange, created ? 201 : 200, result)
}

type Producer = (existing: KubeObject | undefined) => Promise<KubeObject>

function patchProducer(exchange: Exchange, context: RequestContext, type: PatchType, bytes: Uint8Array, options: WriteOptions): Producer {
  const { resource, warnings } = exchange
  return async (existing) => {
    if (existing === undefined) throw notFound(targetOf(context), context.name)
    const before = servedObject(existing, resource)
    const patched = patchObject(before, type, bodyText(bytes), resource.type)
    const strictness = { level: options.fieldValidation, warn: (text: string) => warnings.add(text) }
    const object = decodeValue(patched, expectedOf(resource), strictness, decodingOf(patched))
    if (!object.metadata.name) throw undeterminable(context.name)
    if (object.metadata.name !== context.name) throw badRequest('the name of the object does not match the name on the URL')
    if (resource.namespaced && !object.metadata.namespace) object.metadata.namespace = context.namespace
    await settle(context, existing, object)
    return object
  }
}

/** A patch is strict about the whole object that it makes, and quotes it. */
export function decodingOf(patched: Patched): Decoding {
  return { decode: patched.converted ? convertObject : decodeObject, refuse: patched.refuse }
}

function readApplied(text: string): { value: Json; duplicates: string[] } {
  try {
    return readYaml(text)
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw badRequest(`error decoding YAML: ${error.message.replace(/^yaml: /, '')}`)
    throw error
  }
}

function asObject(value: Json): JsonObject {
  if (!isJsonObject(value)) throw badRequest(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`)
  return value
}

function matchAppliedName(applied: JsonObject, name: string): void {
  const metadata = isJsonObject(applied.metadata) ? applied.metadata : {}
  const named = typeof metadata.name === 'string' ? metadata.name : ''
  if (typeof applied.kind !== 'string' || typeof applied.apiVersion !== 'string') return
  matchName({ kind: applied.kind, apiVersion: applied.apiVersion, metadata: { name: named } }, name)
}

function applyProducer(exchange: Exchange, context: RequestContext, bytes: Uint8Array, options: WriteOptions): Producer {
  const { resource, engine, warnings } = exchange
  const { value, duplicates } = readApplied(bodyText(bytes))
  const applied = asObject(value ?? {})
  matchAppliedName(applied, context.name)
  if (options.fieldValidation === 'Warn') for (const text of warningsOf(duplicates)) warnings.add(text)
  return async (existing) => {
    const outcome = applyPatch({
      live: existing,
      applied,
      type: resource.type,
      kind: { group: resource.group, version: resource.version, kind: resource.kind },
      manager: options.fieldManager,
      apiVersion: resource.apiVersion,
      subresource: context.subresource,
      force: options.force,
      time: timestamp(engine.clock.now()),
      versions: versionsOf(context),
    })
    const object = decodeValue({ value: outcome.object, duplicates: [] }, expectedOf(resource), { level: 'Ignore', warn: () => undefined })
    object.metadata.managedFields = outcome.managedFields
    if (resource.namespaced && !object.metadata.namespace) object.metadata.namespace = context.namespace
    await engine.admission.mutate(admissionAttributes(context, existing ? 'UPDATE' : 'CREATE', object, existing))
    dedupOwnerReferences(object.metadata, context.warn)
    return object
  }
}
