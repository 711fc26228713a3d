/**
 * Handles PATCH requests of each patch type. See kubernetes.io, "Update API Objects in Place Using
 * kubectl patch", and "Server-Side Apply".
 */
import { chain, stageBarrier } from '../core/maybe-promise'
import { MEDIA_TYPE } from '../core/names'
import { admitMutations } from '../registry/mutation'
import { type RequestContext, targetOf } from '../registry/request-context'
import type { Resource } from '../registry/resource'
import type { SubresourceStrategy } from '../registry/strategy'
import { type UpdateOptions, updateObject } from '../registry/update'
import { JsonSyntaxError, readJson } from '../schema/json-reader'
import { MOST_NESTED } from '../schema/nesting'
import { appliedObject, readApplied } from './apply-handler'
import { authorizeCreate } from './authorize'
import { bodyText, expectedOf, withinLimit } from './body'
import { type Exchange, matchNamespace, registryContext, respond } from './exchange'
import type { ApiRequest, ApiResponse } from './messages'
import { type WriteOptions, writeOptions } from './options'
import { type PatchMediaType, patchedObject } from './patched-object'
import { badRequest, conflict, failure, notFound } from './status'
import { servedObject } from './stored-json'
import { matchName, settle } from './update-handler'

const BUILT_IN_TYPES = [
  MEDIA_TYPE.jsonPatch,
  MEDIA_TYPE.mergePatch,
  MEDIA_TYPE.strategicMergePatch,
  MEDIA_TYPE.applyPatch,
] as const
const CUSTOM_TYPES = [MEDIA_TYPE.jsonPatch, MEDIA_TYPE.mergePatch, MEDIA_TYPE.applyPatch] as const

export type PatchType = PatchMediaType | typeof MEDIA_TYPE.applyPatch

export function patchTypeOf(request: ApiRequest, { custom }: Resource): PatchType | undefined {
  const sent = request.header('content-type') ?? ''
  const end = sent.indexOf(';')
  const type = (end < 0 ? sent : sent.slice(0, end)).trim()
  return (custom ? CUSTOM_TYPES : BUILT_IN_TYPES).find((known) => known === type)
}

/**
 * @throws ApiError 415, which lists types only for custom resources; until Kubernetes 1.34 406 for
 * an empty body
 */
export async function rejectPatchType(request: ApiRequest, resource: Resource): Promise<never> {
  if (resource.custom) {
    throw failure(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${CUSTOM_TYPES.join(', ')}`,
    )
  }
  const { changes } = resource.tables
  if (!changes.has('PatchTypesBeforeBodies') && (await request.body()).length === 0)
    throw failure(406, 'NotAcceptable', '406: Not Acceptable\n\nAvailable representations: ', {})
  throw failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
}

export async function handlePatch(
  exchange: Exchange,
  subresourceStrategy?: SubresourceStrategy,
): Promise<ApiResponse> {
  const { request, resource, info } = exchange
  const type = patchTypeOf(request, resource) ?? (await rejectPatchType(request, resource))
  exchange.trace.enter('decoding')
  const bytes = withinLimit(await request.body())
  exchange.trace.bodyBytes = bytes.length
  const isApply = type === MEDIA_TYPE.applyPatch
  exchange.trace.apply = isApply
  if (!isApply) checkJson(exchange, bytes)
  const options = writeOptions(info.query, 'PatchOptions', isApply)
  const context = registryContext(exchange, options)
  const { result, created } = await updateObject(context, {
    produce: isApply
      ? applyProducer(exchange, context, bytes, options)
      : patchProducer(exchange, context, type, bytes, options),
    allowCreate: isApply && context.subresource === '',
    beforeCreate: () => authorizeCreate(exchange),
    ...(subresourceStrategy ? { subresourceStrategy } : {}),
  })
  return respond(exchange, created ? 201 : 200, result)
}

/** @throws ApiError 400 in releases that check this first */
function checkJson({ engine }: Exchange, bytes: Uint8Array): void {
  if (!engine.tables.changes.has('PatchesCheckedAsJson')) return
  try {
    readJson(bodyText(bytes), MOST_NESTED)
  } catch (error) {
    throw error instanceof JsonSyntaxError ? badRequest('invalid JSON patch') : error
  }
}

type Producer = UpdateOptions['produce']

function patchProducer(
  exchange: Exchange,
  context: RequestContext,
  type: PatchMediaType,
  bytes: Uint8Array,
  options: WriteOptions,
): Producer {
  const { resource, info, warnings } = exchange
  return (existing) => {
    if (existing === undefined) throw notFound(targetOf(context), context.name)
    const before = servedObject(existing, resource)
    const object = patchedObject(before, type, bytes, expectedOf(resource), {
      level: options.fieldValidation,
      warn: (text) => warnings.add(text),
    })
    matchNamespace(object, info, resource)
    matchName(object, context.name)
    const settling = chain(stageBarrier(context), () => settle(context, existing, object))
    return chain(settling, () => object)
  }
}

function applyProducer(
  exchange: Exchange,
  context: RequestContext,
  bytes: Uint8Array,
  options: WriteOptions,
): Producer {
  const { resource, info } = exchange
  return (existing) => {
    // An apply through `status` creates the object if a PUT would. Compared with kube-apiserver
    // 1.31.
    const mayCreate = context.subresource === '' || resource.strategy.allowCreateOnUpdate === true
    if (existing === undefined && !mayCreate) throw notFound(targetOf(context), context.name)
    const body = readApplied(bytes, context.engine.tables.changes)
    const making = chain(stageBarrier(context), () =>
      appliedObject(context, existing, body, options),
    )
    return chain(making, (object) => {
      if (existing === undefined && object.metadata.uid)
        throw conflict(targetOf(context), context.name, missingForUid(object.metadata.uid))
      matchNamespace(object, info, resource)
      matchName(object, context.name)
      const admitting = chain(stageBarrier(context), () =>
        admitMutations(context, existing, object),
      )
      return chain(admitting, () => object)
    })
  }
}

const missingForUid = (uid: string): string =>
  `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
