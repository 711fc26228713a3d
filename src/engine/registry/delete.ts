/** Deletion: preconditions, finalizers, grace, propagation (document 1, "Deletion lifecycle"). */
import { RETURN_DELETED_OBJECT } from '../encoding/openapi/deleted-objects'
import { timestamp } from '../environment'
import {
  conflict,
  notFound,
  type ResourceName,
  type Status,
  type StatusDetails,
} from '../http/status'
import { equalJson, type JsonObject, type KubeObject, type ObjectMeta } from '../object'
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
}

export interface DeleteOutcome {
  result: KubeObject | StoredObject | Status
  /** The object is gone, not only marked. */
  gone: boolean
}

const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'

/**
 * @param admission evictions are admitted as what they are, and not once more as the deletion that they come to (recorded)
 * @throws ApiError 404, 409 when a precondition fails
 */
export async function deleteObject(
  context: RequestContext,
  options: DeleteOptions,
  admission: 'to be asked' | 'passed' = 'to be asked',
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
    // Who deletes a whole collection is not stopped by what a kind has against the deletion of one object.
    const before = context.ofCollection
      ? undefined
      : strategy.beforeDelete?.(stored.object, strategyContext(context))
    if (before) await before
    if (admission === 'to be asked') {
      const pending = admitted(context, stored.object, options)
      if (pending) await pending
    }
    const outcome = await deleteStored(context, stored, options, admission)
    if (outcome !== undefined) return outcome
  }
}

/**
 * Admission is shown how long an object is given, whether the request said it or not; of a collection what the request said. A
 * deletion under way is nothing new to it (recorded).
 */
function admitted(
  context: RequestContext,
  object: KubeObject,
  options: DeleteOptions,
): Promise<void> | void {
  const { admission } = context.engine
  const grace = graceOf(context, object, options)
  if (grace === 'under way') return
  const attributes = admissionAttributes(context, 'DELETE', undefined, object)
  const seconds = grace?.seconds ?? options.gracePeriodSeconds
  if (seconds !== undefined && !context.ofCollection) {
    const { options: given } = attributes
    attributes.options = () => withGrace(given?.(), seconds)
  }
  const shaping = admission.mutate(attributes)
  return shaping
    ? shaping.then(() => admission.validate(attributes))
    : admission.validate(attributes)
}

function withGrace(
  options: JsonObject | undefined,
  gracePeriodSeconds: number,
): JsonObject | undefined {
  if (options === undefined) return undefined
  const { kind = '', apiVersion = '', gracePeriodSeconds: _grace, ...others } = options
  return { kind, apiVersion, gracePeriodSeconds, ...others }
}

/** Warns who leaves to the kind what becomes of dependents, where that is not what most expect. */
export function warnOfDefaultPropagation(
  { resource, warn }: RequestContext,
  options: DeleteOptions,
): void {
  const { defaultPropagationWarning } = resource.strategy
  if (defaultPropagationWarning === undefined) return
  if (options.propagationPolicy === undefined && options.orphanDependents === undefined)
    warn(defaultPropagationWarning)
}

/** @throws ApiError 409: the object is not the one that was meant */
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

/** @returns undefined if the object changed meanwhile */
async function deleteStored(
  context: RequestContext,
  stored: StoredObject,
  options: DeleteOptions,
  admission: 'to be asked' | 'passed',
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
  if (context.dryRun) return { result: await showable(context.resource, canonical), gone: !stays }
  const written = equalJson(canonical, old)
    ? stored
    : await replace(context, stored, canonical, stays)
  if (written === undefined) return undefined
  if (stays) return { result: await showable(context.resource, written), gone: false }
  // Who is given no time is marked all the same before it goes: watchers see both, and controllers act on both (recorded:
  // cluster-endpoints, "endpoints-ready").
  await context.engine.yieldToHost()
  // Marking and removing are two writes, and each is admitted (recorded).
  if (admission === 'to be asked')
    await admitted(context, written.object, { ...options, gracePeriodSeconds: 0 })
  const removed = await remove(context, written)
  if (removed !== undefined || (await context.engine.storage.get(stored.key)) !== undefined)
    return removed
  // A controller that saw the mark has done the rest: what was asked for has come to be (public documentation of the generic registry).
  return { result: deletionResult(context, written), gone: true }
}

/** @param last nothing follows: the request is done with this */
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
  let last = stored
  context.trace.enter('storage')
  if (!context.dryRun) {
    const result = await engine.storage.transaction(
      [{ key, revision }],
      [{ type: 'delete', key }],
      transactionOptions(context),
    )
    if (!result.succeeded) return undefined
    const following = resource.strategy.afterDelete?.(object, strategyContext(context))
    if (following) await following
    last = result.stored[0] as StoredObject
  }
  return { result: deletionResult(context, last), gone: true }
}

/** What a request is told whose object is gone. @param last the object's last state */
export function deletionResult(context: RequestContext, last: StoredObject): StoredObject | Status {
  const { resource } = context
  const returnsObject = !resource.custom && RETURN_DELETED_OBJECT.has(resource.resource)
  return returnsObject ? last : deletedStatus(context, last.object)
}

/** The time that a deleted object is given, and when it will be over. */
interface Grace {
  seconds: number
  end: string
}

/**
 * Kinds that are deleted gracefully get the time that the request or the object asks for; later requests can only shorten it.
 * @returns 'under way' if a deletion has begun that this request does not hasten, undefined where there is nothing to wait for
 */
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

/** Less than no time is read as a second. */
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

/** An explicit policy overrides the finalizers of the object, which override the kind's default. */
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
