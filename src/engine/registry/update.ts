/**
 * Updates an object, and retries after a conflict. See k8s.io/apiserver,
 * registry/generic/registry/store.go, `Store.Update`.
 */

import type { AdmissionAttributes } from '../admission/admission'
import { type MaybePromise, stageBarrier } from '../core/maybe-promise'
import type { KubeObject } from '../core/object'
import { equalJson } from '../core/object'
import {
  ApiError,
  conflict,
  invalid,
  MODIFIED_MEANWHILE,
  notFound,
  serverError,
} from '../http/status'
import { canonicalize } from '../schema/canonical'
import { unsignedProblem } from '../schema/go-parse-number'
import type { StoredObject } from '../storage/storage'
import { invalidPrinted } from '../validation/field-errors'
import { carryServerOwned, keepMainResource, keepTimes, raiseGeneration } from './carry-over'
import { storeNewObject } from './create'
import { checkApiVersion } from './custom-kind'
import {
  admissionAttributes,
  keyOf,
  type RequestContext,
  strategyContext,
  targetOf,
} from './request-context'
import type { Resource } from './resource'
import { fitForStore } from './size'
import { readForUpdate, showable } from './stored'
import type { SubresourceStrategy } from './strategy'
import { checkUpdate } from './update-checks'
import { SerializationConflict, serialized, transact } from './write-queue'

export interface UpdateOptions {
  /** Called on each retry; must not change its argument. See `rest.UpdatedObjectInfo`. */
  produce(existing: KubeObject | undefined): MaybePromise<KubeObject>
  /** For server-side apply, even if the kind's PUT creates nothing. */
  allowCreate?: boolean
  /** From the body, checked first. A missing object fails it too. */
  expectedUid?: string
  /** Hooks of a subresource, which replace those of the strategy. */
  subresourceStrategy?: SubresourceStrategy
  /** What validating admission sees instead of the stored object: a Scale. */
  admitted?(object: KubeObject, old: KubeObject): AdmissionAttributes
  /** Checks the permission to create. */
  beforeCreate?(object: KubeObject): MaybePromise<void>
}

export interface UpdateOutcome {
  result: KubeObject | StoredObject
  created: boolean
}

const MAX_RACES = 100

/** @throws ApiError 404 missing, 409 stale resourceVersion or uid, 422 invalid */
export async function updateObject(
  context: RequestContext,
  options: UpdateOptions,
): Promise<UpdateOutcome> {
  const { resource } = context
  const key = keyOf(context)
  for (let race = 0; race < MAX_RACES; race++) {
    context.isRetry = race > 0
    const reading = readForUpdate(context)
    const { stored, reread } = reading instanceof Promise ? await reading : reading
    if (stored === undefined) {
      const isMissing = !(resource.strategy.allowCreateOnUpdate || options.allowCreate)
      if (isMissing && context.engine.tables.changes.has('MissingObjectsNotFound'))
        throw notFound(targetOf(context), context.name)
      if (options.expectedUid)
        throw conflict(
          targetOf(context),
          context.name,
          uidMismatch(context, key, options.expectedUid),
        )
      if (isMissing) throw notFound(targetOf(context), context.name)
      const produced = options.produce(undefined)
      const object = produced instanceof Promise ? await produced : produced
      if (resource.strategy.checkGrant)
        await resource.strategy.checkGrant(object, undefined, context)
      const permitting = options.beforeCreate?.(object)
      if (permitting) await permitting
      await stageBarrier()
      const problem = object.metadata.resourceVersion
        ? unsignedProblem(object.metadata.resourceVersion)
        : undefined
      if (problem !== undefined) throw serverError(problem)
      // The storage sets the version, except in a dry run.
      if (!context.dryRun) object.metadata.resourceVersion = undefined
      const result = await storeNewObject(context, object).catch(ignoreAlreadyExists)
      if (result === undefined) continue
      return { result, created: true }
    }
    const replacing = replaced(context, stored, options)
    const outcome = await (resource.conversion
      ? replacing.catch((error: unknown) => rereadAfter(error, reread))
      : replacing)
    if (outcome === stored && resource.conversion) await reread()
    if (outcome !== undefined)
      return {
        result: resource.conversion ? await showable(resource, outcome) : outcome,
        created: false,
      }
  }
  throw conflict(targetOf(context), context.name, MODIFIED_MEANWHILE)
}

async function rereadAfter(error: unknown, reread: () => Promise<void>): Promise<never> {
  await reread()
  throw error
}

/** @returns undefined to retry */
async function replaced(
  context: RequestContext,
  stored: StoredObject,
  options: UpdateOptions,
): Promise<KubeObject | StoredObject | undefined> {
  const { uid = '' } = stored.object.metadata
  if (options.expectedUid && options.expectedUid !== uid) {
    throw conflict(
      targetOf(context),
      context.name,
      uidMismatch(context, keyOf(context), options.expectedUid, uid),
    )
  }
  const produced = options.produce(stored.object)
  const object = produced instanceof Promise ? await produced : produced
  const { strategy } = context.resource
  if (strategy.checkGrant) await strategy.checkGrant(object, stored.object, context)
  const together = stageBarrier(context)
  if (together) await together
  return serialized(context, (current) => replaceStored(current, stored, object, options)).catch(
    ignoreSerializationConflict,
  )
}

/** Another client has created the object: update it. */
function ignoreAlreadyExists(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status.reason !== 'AlreadyExists') throw error
}

/** Retries as after any other conflict. */
function ignoreSerializationConflict(error: unknown): undefined {
  if (!(error instanceof SerializationConflict)) throw error
}

export function uidMismatch(
  context: Pick<RequestContext, 'dryRun'>,
  key: string,
  uid: string,
  actual = '',
): string {
  return failedPrecondition(
    context,
    key,
    `UID in precondition: ${uid}, UID in object meta: ${actual}`,
  )
}

/**
 * The storage error for a failed precondition (uid, resourceVersion). A dry run's key lacks the
 * prefix. Recorded from kube-apiserver
 * 1.31.
 */
export function failedPrecondition(
  { dryRun }: Pick<RequestContext, 'dryRun'>,
  key: string,
  why: string,
): string {
  const shown = dryRun ? key.replace(/^\/registry/, '') : key
  return invalidObject(shown, `Precondition failed: ${why}`)
}

/** k8s.io/apiserver, storage/errors.go, `NewInvalidObjError`. */
export const invalidObject = (key: string, why: string): string =>
  `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`

/** @returns undefined to retry an unconditional update */
async function replaceStored(
  context: RequestContext,
  stored: StoredObject,
  object: KubeObject,
  options: UpdateOptions,
): Promise<KubeObject | StoredObject | undefined> {
  const { engine, resource } = context
  const { strategy } = resource
  const old = stored.object
  const key = stored.key
  checkResourceVersion(context, object, stored)
  checkApiVersion(resource, object)
  // An unconditional update shows admission the current version. Recorded from kube-apiserver 1.31.
  object.metadata.resourceVersion = old.metadata.resourceVersion ?? ''
  const checks: SubresourceStrategy = options.subresourceStrategy ?? strategy
  keepMainResource(context, old, object)
  const hadSelfLink = Boolean(object.metadata.selfLink)
  carryServerOwned(object, old, resource.namespaced ? context.namespace : undefined)
  // Only the storage drops selfLink, so a dry run shows it. Recorded from kube-apiserver 1.31.
  if (!context.dryRun && object.metadata.selfLink !== undefined)
    object.metadata.selfLink = undefined
  const given = strategyContext(context)
  if (context.subresource === '')
    for (const member of strategy.serverOwned ?? []) object[member] = old[member]
  context.trace.enter('strategy')
  const preparing = checks.prepareForUpdate?.(object, old, given)
  if (preparing) await preparing
  if (context.subresource === '') raiseGeneration(resource, object, old)
  context.trace.enter('validation')
  const checking = checkUpdate(context, object, old, checks, given)
  if (checking) await checking
  for (const warning of checks.warningsOnUpdate?.(object, old, given) ?? []) context.warn(warning)
  const last = lastForm(resource, object)
  strategy.canonicalize?.(object)
  const pending = engine.admission.validate(
    options.admitted?.(object, old) ?? admissionAttributes(context, 'UPDATE', object, old),
  )
  if (pending) await pending
  if (strategy.toStored) await strategy.toStored(object)
  const together = stageBarrier(context)
  if (together) await together

  const isFilled =
    stored.createRevision === stored.revision && strategy.filledOnReading?.(old) === true
  // Equal drafts need no canonicalization.
  if (!context.dryRun && !isFilled && !isReadyForRemoval(old) && equalJson(object, old))
    return stored
  const canonical = canonicalize(resource.storedType, object, 'stored')
  if (!hadSelfLink) keepTimes(canonical, old)
  context.trace.enter('storage')
  if (isReadyForRemoval(canonical) && !strategy.holdsDeletion?.(canonical)) {
    if (context.dryRun) return last ?? canonical
    const result = await transact(
      context,
      [{ key, revision: stored.revision }],
      [{ type: 'delete', key }],
    )
    if (!result.succeeded) return undefined
    // kube-apiserver ends the update without a write, then deletes the object: two reads.
    for (const last of resource.conversion ? [stored, stored] : [])
      await resource.conversion?.prepare([last], 'all')
    const following = strategy.afterDelete?.(canonical, given)
    if (following) await following
    return last ?? canonical
  }
  if (context.dryRun) return canonical
  if (!isFilled && equalJson(canonical, old)) return stored
  const result = await transact(
    context,
    [{ key, revision: stored.revision }],
    [{ type: 'put', key, object: fitForStore(canonical, context.trace.apply) }],
  )
  if (!result.succeeded) return undefined
  checks.afterUpdate?.(canonical, old, given)
  return result.stored[0]
}

/**
 * A custom resource that the update removes: kube-apiserver converts only stored objects, so the
 * response keeps members that the stored version lacks.
 */
function lastForm({ custom, type }: Resource, object: KubeObject): KubeObject | undefined {
  return custom && isReadyForRemoval(object)
    ? canonicalize(type, structuredClone(object))
    : undefined
}

function isReadyForRemoval({ metadata }: KubeObject): boolean {
  return (
    Boolean(metadata.deletionTimestamp) &&
    !metadata.finalizers?.length &&
    !metadata.deletionGracePeriodSeconds
  )
}

/** Empty and `"0"` are unconditional where the kind allows it. */
function checkResourceVersion(
  context: RequestContext,
  object: KubeObject,
  stored: StoredObject,
): void {
  const { resource } = context
  const version = object.metadata.resourceVersion ?? ''
  if (version === stored.object.metadata.resourceVersion) return
  const problem = version === '' ? undefined : unsignedProblem(version)
  if (problem !== undefined) throw serverError(problem)
  if (version === '' || BigInt(version) === 0n) {
    if (resource.strategy.allowUnconditionalUpdate === false) {
      throw invalid({ group: resource.group, kind: resource.resource }, context.name, [
        invalidPrinted(
          'metadata.resourceVersion',
          { go: '0x0', json: '0' },
          'must be specified for an update',
        ),
      ])
    }
    return
  }
  if (version !== String(stored.revision))
    throw conflict(targetOf(context), context.name, MODIFIED_MEANWHILE)
}
