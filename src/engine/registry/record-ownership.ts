import {
  type ApplyOutcome,
  type ApplyRequest,
  applyPatch,
  updateManagedFields,
  type Write,
} from '../apply/managers'
import { resetFieldsOf } from '../apply/reset-fields'
import { timestamp } from '../core/environment'
import { chain, type MaybePromise, whenSettled } from '../core/maybe-promise'
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '../core/object'
import { isOfOtherKind } from './custom-kind'
import { ServedVersions } from './kind-versions'
import type { RequestContext } from './request-context'
import type { Resource } from './resource'

/**
 * Objects are in the stored version, drafts of custom resources in the request's.
 * @returns a promise only if a webhook converts versions
 * @throws ApiError 500 if a conversion fails
 */
export function recordOwnership(
  context: RequestContext,
  live: KubeObject | undefined,
  object: KubeObject,
): MaybePromise<void> {
  context.trace.enter('ownership')
  if (isOfOtherKind(context.resource, object)) {
    object.metadata.managedFields = undefined
    return undefined
  }
  const write = writeOf(context, live)
  const requested = context.subresource === '' ? object.metadata.managedFields : undefined
  const owned = whenSettled(() =>
    updateManagedFields(write, drafted(context.resource, object), requested),
  )
  return chain(owned, (managedFields) => {
    object.metadata.managedFields = managedFields
  })
}

/**
 * @returns objects in the version of the request
 * @throws ApiError as applyPatch
 */
export function applyToStored(
  context: RequestContext,
  live: KubeObject | undefined,
  applied: JsonObject,
  force: boolean,
): MaybePromise<ApplyOutcome> {
  context.trace.enter('ownership')
  const write = writeOf(context, live, live?.metadata.managedFields)
  const request: ApplyRequest = { applied, kind: context.resource, force }
  return whenSettled(() => applyPatch(write, request))
}

/** @param shown managedFields that a conversion webhook sees */
function writeOf(
  context: RequestContext,
  live: KubeObject | undefined,
  shown?: ManagedFieldsEntry[] | undefined,
): Write {
  const { engine, resource, subresource, manager } = context
  return {
    live: live && served(resource, live),
    type: resource.type,
    manager,
    apiVersion: resource.apiVersion,
    subresource,
    time: timestamp(engine.clock.now()),
    reset: resetFieldsOf({
      group: resource.errorGroup,
      kind: resource.kind,
      subresource,
      hasStatus: resource.subresources.has('status'),
      statusLeavesMetadata:
        resource.custom && engine.tables.changes.has('CustomStatusLeavesMetadata'),
    }),
    keepsManagersOfMisfits: engine.tables.changes.has('MisfitsKeepOwnership'),
    versions: new ServedVersions(engine, resource, shown),
  }
}

const served = (resource: Resource, object: KubeObject): KubeObject =>
  resource.fromHub?.(object) ?? object

/** Drafts of custom resources still change: do not cache their conversions. */
const drafted = (resource: Resource, draft: KubeObject): KubeObject =>
  resource.custom ? draft : served(resource, draft)
