/**
 * Deletion of an object that cannot be read from storage, with the option
 * `ignoreStoreReadErrorWithClusterBreakingPotential`. Every stored object can be read here, so the
 * deletion is always rejected, with the responses of k8s.io/apiserver
 * (`pkg/endpoints/handlers/delete.go`, `pkg/registry/generic/registry/corrupt_obj_deleter.go`).
 */
import { chain, type MaybePromise } from '../core/maybe-promise'
import { keyOf, type RequestContext, targetOf } from '../registry/request-context'
import { readStored } from '../registry/stored'
import { invalidObject } from '../registry/update'
import { attributesOf } from './authorize'
import type { Exchange } from './exchange'
import { conflict, type FieldError, forbidden, notFound } from './status'

export const UNSAFE_OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential'
const VERB = 'unsafe-delete-ignore-read-errors'

/** @param given the other options that are set, in the order of the errors */
export const unsafeOptionErrors = (given: readonly string[]): FieldError[] =>
  given.map((name) => invalidOption(`cannot be set together with .${name}`))

export const invalidOption = (why: string): FieldError => ({
  field: UNSAFE_OPTION,
  reason: 'FieldValueInvalid',
  detail: `Invalid value: true: ${why}`,
})

/** @throws ApiError 403, 404 or 409, always */
export async function rejectUnsafeDelete(
  exchange: Exchange,
  context: RequestContext,
): Promise<never> {
  exchange.trace.annotations['apiserver.k8s.io/unsafe-delete-ignore-read-error'] = ''
  await authorize(exchange)
  const target = targetOf(context)
  const key = keyOf(context)
  const stored = await readStored(context)
  if (stored === undefined) throw notFound(target, context.name)
  const why = 'unsafe deletion is not allowed because the object is decodable from storage'
  throw conflict(target, context.name, invalidObject(key, why))
}

function authorize({ engine, info, user }: Exchange): MaybePromise<void> {
  const target = { group: info.group, resource: info.resource }
  if (info.subresource !== '')
    throw forbidden(
      target,
      info.name,
      `${UNSAFE_OPTION} delete option is not allowed on a subresource or non-resource request`,
    )
  const attributes = { ...attributesOf(engine, info, user), verb: VERB }
  return chain(engine.authorizer.authorize(attributes), ({ decision, reason, error }) => {
    if (decision === 'allow') return
    const why =
      error === undefined
        ? `not permitted to do "${VERB}", reason: ${reason}`
        : `error while checking permission for "${VERB}", ${error}`
    throw forbidden(target, info.name, why)
  })
}
