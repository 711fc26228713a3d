/** The life of an update: read, change, check, store, and again when somebody was faster. */

import type { AdmissionAttributes } from '../admission/admission'
import { sameButForTimes } from '../apply/managed-fields'
import {
  ApiError,
  conflict,
  invalid,
  MODIFIED_MEANWHILE,
  notFound,
  serverError,
} from '../http/status'
import { type MaybePromise, stageBarrier } from '../maybe-promise'
import type { KubeObject, ObjectMeta } from '../object'
import { equalJson, isJsonObject } from '../object'
import { canonicalize } from '../schema/canonical'
import { unsignedProblem } from '../schema/go-parse-number'
import { semanticallyEqual } from '../schema/semantic-equality'
import type { StoredObject } from '../storage/storage'
import { storeNewObject } from './create'
import { checkApiVersion } from './custom-kind'
import { invalidValue } from './field-errors'
import {
  admissionAttributes,
  keyOf,
  type RequestContext,
  strategyContext,
  targetOf,
} from './request-context'
import type { Resource } from './resource'
import { fitForStore } from './size'
import { readStored, showable } from './stored'
import type { Strategy } from './strategy'
import { checkUpdate } from './update-checks'
import { SerializationConflict, serialized, transact } from './write-queue'

export interface UpdateOptions {
  /** Makes the new object from the stored one (undefined: there is none). Called again after a lost race; must not change its argument. */
  produce(existing: KubeObject | undefined): MaybePromise<KubeObject>
  /** Creates a missing object even if the kind's PUT does not: server-side apply. */
  allowCreate?: boolean
  /** The body named a uid: the stored object must have it before anything else is asked, and a missing one fails this precondition too. */
  expectedUid?: string
  /** Changes made by the server itself skip nothing but the generation rules. */
  subresourceStrategy?: Pick<Strategy, 'prepareForUpdate' | 'validateUpdate' | 'warningsOnUpdate'>
  /** What validating admission judges where it is not the stored object itself: a Scale. */
  admitted?(object: KubeObject, old: KubeObject): AdmissionAttributes
  /** Asked before an object is created by this update: may the user create? */
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
    const reading = readStored(context)
    const stored = reading instanceof Promise ? await reading : reading
    if (stored === undefined) {
      if (options.expectedUid)
        throw conflict(
          targetOf(context),
          context.name,
          uidMismatch(context, key, options.expectedUid),
        )
      if (!(resource.strategy.allowCreateOnUpdate || options.allowCreate))
        throw notFound(targetOf(context), context.name)
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
      // The version is the store's to give; a dry run does not get as far.
      if (!context.dryRun) object.metadata.resourceVersion = undefined
      const result = await storeNewObject(context, object).catch(ignoreAlreadyExists)
      if (result === undefined) continue
      return { result, created: true }
    }
    const { uid = '' } = stored.object.metadata
    if (options.expectedUid && options.expectedUid !== uid) {
      throw conflict(
        targetOf(context),
        context.name,
        uidMismatch(context, key, options.expectedUid, uid),
      )
    }
    const produced = options.produce(stored.object)
    const object = produced instanceof Promise ? await produced : produced
    if (resource.strategy.checkGrant)
      await resource.strategy.checkGrant(object, stored.object, context)
    const together = stageBarrier(context)
    if (together) await together
    const outcome = await serialized(context, (current) =>
      replaceStored(current, stored, object, options),
    ).catch(ignoreSerializationConflict)
    if (outcome !== undefined)
      return {
        result: resource.conversion ? await showable(resource, outcome) : outcome,
        created: false,
      }
  }
  throw conflict(targetOf(context), context.name, MODIFIED_MEANWHILE)
}

/** Somebody else has created it meanwhile: then it is changed. @throws the error if it is another one */
function ignoreAlreadyExists(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status.reason !== 'AlreadyExists') throw error
}

/** Who lost his turn begins anew, as after a lost race. */
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

/** What the storage says of an object that is not the one that was meant. A dry run has not come to where keys begin (recorded). */
export function failedPrecondition(
  { dryRun }: Pick<RequestContext, 'dryRun'>,
  key: string,
  why: string,
): string {
  const shown = dryRun ? key.replace(/^\/registry/, '') : key
  return `StorageError: invalid object, Code: 4, Key: ${shown}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${why}`
}

/** @returns undefined when the stored object changed meanwhile and the update made no demand on its version */
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
  // Who demands no version writes to the one there is: so it is shown to whoever judges the write (recorded).
  object.metadata.resourceVersion = old.metadata.resourceVersion ?? ''
  const checks: Pick<Strategy, 'prepareForUpdate' | 'validateUpdate' | 'warningsOnUpdate'> =
    options.subresourceStrategy ?? strategy
  keepMainResource(context, old, object)
  const hadSelfLink = Boolean(object.metadata.selfLink)
  carryServerOwned(object, old, resource.namespaced ? context.namespace : undefined)
  // It is the store that drops a link, so a dry run shows the one that was sent (recorded).
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
  // What says the same as the canonical object needs no form to be found unchanged.
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
  return result.succeeded ? result.stored[0] : undefined
}

/**
 * A write of what there was already leaves the times of ownership as they were, so that it is none (recorded). A link that an object
 * no longer has is still a change to the real server.
 */
function keepTimes(canonical: KubeObject, old: KubeObject): void {
  const { metadata } = canonical
  const { managedFields: changed } = metadata
  const before = old.metadata.managedFields
  if (changed === before || !sameButForTimes(changed, before)) return
  metadata.managedFields = before
  if (!equalJson(canonical, old)) metadata.managedFields = changed
}

/**
 * A custom resource that an update ends is shown in the version of the request, with members that the stored version lacks: the real
 * server converts only what it stores.
 */
function lastForm({ custom, type }: Resource, object: KubeObject): KubeObject | undefined {
  return custom && mayGoNow(object) ? canonicalize(type, structuredClone(object)) : undefined
}

/** An object whose deletion only waited for its finalizers goes with the last of them. */
function isReadyForRemoval({ metadata }: KubeObject): boolean {
  return (
    Boolean(metadata.deletionTimestamp) &&
    !metadata.finalizers?.length &&
    !metadata.deletionGracePeriodSeconds
  )
}

/** Empty and `"0"` make no demand where the kind allows it; anything else must be the stored version. */
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
        {
          ...invalidValue('metadata.resourceVersion', '', ''),
          detail: 'Invalid value: 0x0: must be specified for an update',
        },
      ])
    }
    return
  }
  if (version !== String(stored.revision))
    throw conflict(targetOf(context), context.name, MODIFIED_MEANWHILE)
}

/** A write to `status` changes the status and a few members of metadata; the rest stays as stored, whatever admission has seen of it. */
function keepMainResource(context: RequestContext, existing: KubeObject, object: KubeObject): void {
  if (context.subresource !== 'status') return
  const status = context.resource.strategy.serverOwned ?? ['status']
  for (const member of new Set([...Object.keys(existing), ...Object.keys(object)])) {
    if (
      member === 'metadata' ||
      member === 'kind' ||
      member === 'apiVersion' ||
      status.includes(member)
    )
      continue
    object[member] = existing[member]
  }
  for (const member of context.resource.strategy.statusKeeps ?? [])
    keepMember(object.metadata, existing.metadata, member)
}

function keepMember<Member extends keyof ObjectMeta>(
  meta: ObjectMeta,
  existing: ObjectMeta,
  member: Member,
): void {
  const value = existing[member]
  if (value === undefined) delete meta[member]
  else meta[member] = value
}

/** What a client leaves out of metadata that is the server's: carried over from the stored object. */
function carryServerOwned(
  object: KubeObject,
  old: KubeObject,
  namespace: string | undefined,
): void {
  const meta = object.metadata
  const before = old.metadata
  meta.namespace = namespace
  meta.generation = before.generation
  if (!meta.uid) meta.uid = before.uid
  meta.creationTimestamp = before.creationTimestamp
  if (before.deletionTimestamp) meta.deletionTimestamp = before.deletionTimestamp
  if (
    before.deletionGracePeriodSeconds !== undefined &&
    meta.deletionGracePeriodSeconds === undefined
  ) {
    meta.deletionGracePeriodSeconds = before.deletionGracePeriodSeconds
  }
}

function raiseGeneration(
  { strategy, storedType }: Resource,
  object: KubeObject,
  old: KubeObject,
): void {
  if (!strategy.generationFields) return
  for (const path of strategy.generationFields) {
    const [now, before] = [memberAt(object, path), memberAt(old, path)]
    if (
      sameOrEmpty(now, before) ||
      semanticallyEqual(storedType.byName.get(path)?.type, now, before)
    )
      continue
    object.metadata.generation = (old.metadata.generation ?? 0) + 1
    return
  }
}

/** None and an empty list are the same to the real server, wherever they stand (recorded). */
function sameOrEmpty(a: unknown, b: unknown): boolean {
  if (equalJson(a, b) || (isEmptyList(a ?? []) && isEmptyList(b ?? []))) return true
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  return Object.keys({ ...a, ...b }).every((key) => sameOrEmpty(a[key], b[key]))
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const OF_METADATA = 'metadata.'

/** A member of the object, or one of its metadata. Maps without entries count as absent. */
function memberAt(object: KubeObject, path: string): unknown {
  if (!path.startsWith(OF_METADATA)) return object[path]
  return object.metadata[path.slice(OF_METADATA.length) as keyof ObjectMeta] ?? {}
}
