/** Creates the object if the kind allows this. */

import { chain, type MaybePromise } from '../core/maybe-promise'
import type { KubeObject } from '../core/object'
import { admitMutations } from '../registry/mutation'
import { dedupOwnerReferences } from '../registry/owner-references'
import { recordOwnership } from '../registry/record-ownership'
import type { RequestContext } from '../registry/request-context'
import type { SubresourceStrategy } from '../registry/strategy'
import { type UpdateOutcome, updateObject } from '../registry/update'
import { copyExplicitEmpties } from '../schema/explicit-empties'
import { authorizeCreate } from './authorize'
import { expectedOf, readObject } from './body'
import { type Exchange, matchNamespace, registryContext, respond, strictnessOf } from './exchange'
import type { ApiResponse } from './messages'
import { writeOptions } from './options'
import { badRequest } from './status'

export async function handleUpdate(
  exchange: Exchange,
  subresourceStrategy?: SubresourceStrategy,
): Promise<ApiResponse> {
  const { request, resource, info } = exchange
  const options = writeOptions(info.query, 'UpdateOptions')
  const context = registryContext(exchange, options)
  exchange.trace.enter('decoding')
  const object = await readObject(request, expectedOf(resource), strictnessOf(exchange, options))
  matchNamespace(object, info, resource)
  matchName(object, info.name)
  const { result, created } = await putObject(exchange, context, object, subresourceStrategy)
  return respond(exchange, created ? 201 : 200, result)
}

/** Each retry runs ownership and mutating admission on a fresh copy of the body. */
async function putObject(
  exchange: Exchange,
  context: RequestContext,
  body: KubeObject,
  subresourceStrategy?: SubresourceStrategy,
): Promise<UpdateOutcome> {
  dedupOwnerReferences(body.metadata, context.warn, 'as sent')
  const expectedUid = body.metadata.uid
  return updateObject(context, {
    ...(expectedUid ? { expectedUid } : {}),
    ...(subresourceStrategy ? { subresourceStrategy } : {}),
    beforeCreate: () => authorizeCreate(exchange),
    produce(existing) {
      const object: KubeObject = { ...body, metadata: { ...body.metadata } }
      copyExplicitEmpties(body, object)
      return chain(settle(context, existing, object), () => object)
    },
  })
}

/** In kube-apiserver's order; a promise only if something had to wait. */
export function settle(
  context: RequestContext,
  existing: KubeObject | undefined,
  object: KubeObject,
): MaybePromise<void> {
  return chain(recordOwnership(context, existing, object), () =>
    admitMutations(context, existing, object),
  )
}

/** @throws ApiError 400 */
export function matchName(object: KubeObject, name: string): void {
  const inBody = object.metadata.name ?? ''
  if (inBody === '') throw undeterminable(name)
  if (inBody !== name)
    throw badRequest(
      `the name of the object (${inBody}) does not match the name on the URL (${name})`,
    )
}

function undeterminable(name: string): Error {
  return badRequest(
    `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
  )
}
