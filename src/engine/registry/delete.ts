/**
 * Deletes an object, or marks it while finalizers remain. See kubernetes.io, "Garbage Collection"
 * and "Finalizers".
 */

import { timestamp } from '../core/environment'
import { chain, type MaybePromise } from '../core/maybe-promise'
import { equalJson, type JsonObject, type KubeObject, type ObjectMeta } from '../core/object'
import { RETURN_DELETED_OBJECT } from '../encoding/openapi/deleted-objects'
import {
  conflict,
  notFound,
  type ResourceName,
  type Status,
  type StatusDetails,
} from '../http/status'
import { canonicalize } from '../schema/canonical'
import type { StoredObject } from '../storage/storage'
import {
  admissionAttributes,
  type RequestContext,
  strategyContext,
  targetOf,
  transactionOptions,
} from './request-context'
import { readStored, showable } from './stored'
import type { Strategy } from './strategy'

export interface Preconditions {
  uid?: string
  resourceVersion?: string
}

export interface DeleteOptions {
  gracePeriodSeconds?: number
  orphanDependents?: boolean
  propagationPolicy?: string
  preconditions?: Preconditions
  /** `ignoreStoreReadErrorWithClusterBreakingPotential` */
  isUnsafe?: boolean
}

export interface DeleteOutcome {
  result: KubeObject | StoredObject | Status
  /** Whether the object was removed, not only marked. */
  gone: boolean
}

const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'

/**
 * @param admission `passed`: the deletion was admitted as an eviction (kube-apiserver 1.31)
 * @throws ApiError 404, 409 for a failed precondition
 */
export async function deleteObject(
  context: RequestContext,
  options: DeleteOptions,
  admission: 'pending' | 'passed' = 'pending',
): Promise<DeleteOutcome> {
  const { strategy } = context.resource
  warnOfDefaultPropagation(context, options)
  for (;;) {
    const reading = readStored(context)
    const stored = reading instanceof Promise ? await reading : reading
    if (stored === undefined) throw notFound(targetOf(context), context.name)
    const { preconditions } = options
    if (preconditions)
      (strategy.checkPreconditions ?? checkPreconditions)(context, stored.object, preconditions)
    const before = context.ofCollection
      ? undefined
      : strategy.beforeDelete?.(stored.object, strategyContext(context))
    if (before) await before
    if (admission === 'pending') {
      const pending = admitted(context, stored.object, options)
      if (pending) await pending
    }
    const outcome = await deleteStored(context, stored, options, admission)
    if (outcome !== undefined) return outcome
  }
}

/**
 * Skips admission if a deletion is under way. Admission sees the effective grace period, except for
 * collections (kube-apiserver 1.31).
 */
function admitted(
  context: RequestContext,
  object: KubeObject,
  options: DeleteOptions,
): MaybePromise<void> {
  const { admission } = context.engine
  const grace = graceOf(context, object, options)
  if (grace === 'under way') return
  const attributes = admissionAttributes(context, 'DELETE', undefined, object)
  const seconds = grace?.seconds ?? options.gracePeriodSeconds
  if (seconds !== undefined && !context.ofCollection) {
    const { options: given } = attributes
    attributes.options = () => withGrace(given?.(), seconds)
  }
  return chain(admission.mutate(attributes), () => admission.validate(attributes))
}

function withGrace(
  options: JsonObject | undefined,
  gracePeriodSeconds: number,
): JsonObject | undefined {
  if (options === undefined) return undefined
  const { kind = '', apiVersion = '', gracePeriodSeconds: _grace, ...others } = options
  return { kind, apiVersion, gracePeriodSeconds, ...others }
}

export function warnOfDefaultPropagation(
  { resource, warn }: RequestContext,
  options: DeleteOptions,
): void {
  const { defaultPropagationWarning } = resource.strategy
  if (defaultPropagationWarning === undefined) return
  if (options.propagationPolicy === undefined && options.orphanDependents === undefined)
    warn(defaultPropagationWarning)
}

export function checkPreconditions(
  context: RequestContext,
  { metadata: actual }: KubeObject,
  preconditions: Preconditions,
): void {
  const { uid, resourceVersion } = preconditions
  const target: ResourceName = {
    group: context.resource.errorGroup,
    resource: context.resource.kind,
  }
  if (uid !== undefined && uid !== actual.uid) {
    throw conflict(
      target,
      context.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${actual.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== actual.resourceVersion) {
    throw conflict(
      target,
      context.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${actual.resourceVersion}). The object might have been modified`,
    )
  }
}

/** @returns undefined if the object changed in the meantime */
async function deleteStored(
  context: RequestContext,
  stored: StoredObject,
  options: DeleteOptions,
  admission: 'pending' | 'passed',
): Promise<DeleteOutcome | undefined> {
  const { strategy, storedType } = context.resource
  const old = stored.object
  const finalizers = finalizersAfter(old.metadata, options, strategy)
  const begun = strategy.beginDeletion?.(old, {
    finalizers,
    now: timestamp(context.engine.clock.now()),
  })
  const grace = begun === undefined ? graceOf(context, old, options) : undefined
  if (begun === 'under way' || grace === 'under way') return { result: stored, gone: false }
  const waits = begun !== undefined || finalizers.length > 0
  if (!waits && grace === undefined) return await remove(context, stored)

  const canonical = canonicalize(storedType, begun ?? marking(context, old, finalizers, grace))
  const stays = waits || (grace?.seconds ?? 0) > 0
  if (context.resource.conversion) await convertMarked(context, stored, canonical)
  if (context.dryRun) return { result: await showable(context.resource, canonical), gone: !stays }
  const written = equalJson(canonical, old)
    ? stored
    : await replace(context, stored, canonical, stays)
  if (written === undefined) return undefined
  if (stays) return { result: await showable(context.resource, written), gone: false }
  // Controllers act on the mark and on the removal (recording `cluster-endpoints`).
  await context.engine.yieldToHost()
  // Both writes are admitted. Recorded from kube-apiserver 1.31.
  if (admission === 'pending')
    await admitted(context, written.object, { ...options, gracePeriodSeconds: 0 })
  const removed = await remove(context, written)
  if (removed !== undefined || (await context.engine.storage.get(stored.key)) !== undefined)
    return removed
  // A controller may have removed it already. See registry/generic/registry/store.go.
  return { result: deletionResult(context, written), gone: true }
}

/**
 * Repeats kube-apiserver's conversions: it encodes both states, and reads again if nothing changes.
 * @throws ApiError 500
 */
async function convertMarked(
  { resource: { conversion, fromHub }, dryRun }: RequestContext,
  stored: StoredObject,
  marked: KubeObject,
): Promise<void> {
  if (!conversion) return
  if (dryRun) await conversion.prepare([stored], 'all')
  else await conversion.prepareForUpdate(stored)
  const shown = fromHub?.(stored.object) ?? stored.object
  const changed = { ...shown, metadata: marked.metadata } as unknown as JsonObject
  await conversion.convertAsIs(changed, marked.apiVersion)
  if (!dryRun && equalJson(marked, stored.object)) await conversion.prepare([stored], 'all')
}

async function replace(
  context: RequestContext,
  { key, revision }: StoredObject,
  object: KubeObject,
  last: boolean,
): Promise<StoredObject | undefined> {
  const options = transactionOptions(context, last)
  context.trace.enter('storage')
  const result = await context.engine.storage.transaction(
    [{ key, revision }],
    [{ type: 'put', key, object }],
    options,
  )
  return result.succeeded ? result.stored[0] : undefined
}

async function remove(
  context: RequestContext,
  stored: StoredObject,
): Promise<DeleteOutcome | undefined> {
  const { engine, resource } = context
  const { key, revision, object } = stored
  const { conversion } = resource
  let last = stored
  context.trace.enter('storage')
  if (context.dryRun) await conversion?.prepare([stored], 'all')
  else {
    if (conversion) await conversion.prepareForUpdate(stored)
    const result = await engine.storage.transaction(
      [{ key, revision }],
      [{ type: 'delete', key }],
      transactionOptions(context),
    )
    if (!result.succeeded) return undefined
    const following = resource.strategy.afterDelete?.(object, strategyContext(context))
    if (following) await following
    last = result.stored[0] as StoredObject
    if (conversion) await conversion.prepare([last], 'all')
  }
  return { result: deletionResult(context, last), gone: true }
}

export function deletionResult(context: RequestContext, last: StoredObject): StoredObject | Status {
  const { resource } = context
  const returnsObject = !resource.custom && RETURN_DELETED_OBJECT.has(resource.resource)
  return returnsObject ? last : deletedStatus(context, last.object)
}

interface Grace {
  seconds: number
  end: string
}

/** Later requests can only shorten a grace period. @returns undefined without one */
function graceOf(
  { engine, resource }: RequestContext,
  object: KubeObject,
  options: DeleteOptions,
): Grace | 'under way' | undefined {
  const { gracePeriodSeconds } = resource.strategy
  const { metadata } = object
  if (gracePeriodSeconds === undefined) return undefined
  const requested =
    options.gracePeriodSeconds === undefined ? undefined : notNegative(options.gracePeriodSeconds)
  if (!metadata.deletionTimestamp) {
    const seconds = notNegative(gracePeriodSeconds(object, requested))
    return { seconds, end: timestamp(engine.clock.now() + seconds * 1000) }
  }
  const running = metadata.deletionGracePeriodSeconds ?? 0
  if (running === 0) return undefined
  if (requested === undefined || requested >= running) return 'under way'
  return {
    seconds: requested,
    end: timestamp(Date.parse(metadata.deletionTimestamp) - (running - requested) * 1000),
  }
}

const notNegative = (seconds: number): number => (seconds < 0 ? 1 : seconds)

function marking(
  context: RequestContext,
  old: KubeObject,
  finalizers: string[],
  grace: Grace | undefined,
): KubeObject {
  const meta = old.metadata
  const draft: KubeObject = {
    ...old,
    metadata: { ...meta, finalizers, deletionGracePeriodSeconds: grace?.seconds ?? 0 },
  }
  draft.metadata.deletionTimestamp =
    grace?.end ?? earlier(meta.deletionTimestamp, timestamp(context.engine.clock.now()))
  if (!meta.deletionTimestamp && meta.generation) draft.metadata.generation = meta.generation + 1
  return draft
}

const earlier = (present: string | undefined, now: string): string =>
  present && present < now ? present : now

/** Precedence: the request's policy, the object's finalizers, the kind's default. */
function finalizersAfter(
  { finalizers: present = [], deletionTimestamp }: ObjectMeta,
  options: DeleteOptions,
  strategy: Strategy,
): string[] {
  const { orphanDependents, propagationPolicy } = options
  const { defaultPropagation: kindDefault, waitsUnlessOrphaned = false } = strategy
  const waits = waitsUnlessOrphaned && !deletionTimestamp
  let orphan: boolean
  let foreground: boolean
  if (kindDefault === 'Unsupported') orphan = foreground = false
  else if (orphanDependents !== undefined)
    [orphan, foreground] = [orphanDependents, waits && !orphanDependents]
  else if (propagationPolicy !== undefined)
    [orphan, foreground] = [propagationPolicy === 'Orphan', propagationPolicy === 'Foreground']
  else {
    orphan = present.includes(ORPHAN) || (!present.includes(FOREGROUND) && kindDefault === 'Orphan')
    foreground = present.includes(FOREGROUND)
  }
  if (present.includes(ORPHAN) === orphan && present.includes(FOREGROUND) === foreground)
    return present
  return [
    ...present.filter((name) => name !== ORPHAN && name !== FOREGROUND),
    ...(orphan ? [ORPHAN] : []),
    ...(foreground ? [FOREGROUND] : []),
  ]
}

function deletedStatus(context: RequestContext, object: KubeObject): Status {
  const { group, resource } = targetOf(context)
  const { name, uid } = object.metadata
  const details: StatusDetails = {}
  if (name) details.name = name
  if (group) details.group = group
  details.kind = resource
  if (uid) details.uid = uid
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
}
