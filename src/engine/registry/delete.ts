/** Deletion: preconditions, finalizers, grace, propagation (document 1, "Deletion lifecycle"). */
import { timestamp } from '../environment'
import { conflict, notFound, type ResourceName, type Status } from '../http/status'
import type { KubeObject } from '../object'
import { canonicalize } from '../schema/canonical'
import type { StoredObject } from '../storage/storage'
import { admissionAttributes, keyOf, type RequestContext, strategyContext, targetOf } from './request-context'

export interface DeleteOptions {
  gracePeriodSeconds?: number
  orphanDependents?: boolean
  propagationPolicy?: string
  preconditions?: { uid?: string; resourceVersion?: string }
}

export interface DeleteOutcome {
  result: KubeObject | StoredObject | Status
  /** The object is gone, not only marked. */
  gone: boolean
}

const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'

/** @throws ApiError 404, 409 when a precondition fails */
export async function deleteObject(context: RequestContext, options: DeleteOptions): Promise<DeleteOutcome> {
  const { engine, resource } = context
  const key = keyOf(context)
  for (;;) {
    const stored = await engine.storage.get(key)
    if (stored === undefined) throw notFound(targetOf(context), context.name)
    checkPreconditions(context, stored, options.preconditions)
    await resource.strategy.beforeDelete?.(stored.object, strategyContext(context))
    await engine.admission.validate(admissionAttributes(context, 'DELETE', undefined, stored.object))
    const outcome = await deleteStored(context, stored, options)
    if (outcome !== undefined) return outcome
  }
}

function checkPreconditions(context: RequestContext, stored: StoredObject, preconditions: DeleteOptions['preconditions']): void {
  if (!preconditions) return
  const { uid, resourceVersion } = preconditions
  const actual = stored.object.metadata
  const target: ResourceName = { group: context.resource.group, resource: context.resource.kind }
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

async function deleteStored(context: RequestContext, stored: StoredObject, options: DeleteOptions): Promise<DeleteOutcome | undefined> {
  const { engine, resource } = context
  const { strategy } = resource
  const old = stored.object
  const meta = old.metadata
  const grace = Math.max(0, strategy.gracePeriodSeconds?.(old, options.gracePeriodSeconds) ?? 0)
  const finalizers = finalizersAfter(meta.finalizers ?? [], options, strategy.defaultPropagation)
  const graceful = grace > 0
  const waits = graceful || finalizers.length > 0 || strategy.holdsDeletion?.(old) === true

  if (!waits) {
    let last: StoredObject = stored
    if (!context.dryRun) {
      const result = await engine.storage.transaction(
        [{ key: stored.key, revision: stored.revision }],
        [{ type: 'delete', key: stored.key }],
      )
      if (!result.succeeded) return undefined
      strategy.afterDelete?.(old, strategyContext(context))
      last = result.stored[0] as StoredObject
    }
    return { result: strategy.returnsDeletedObject ? last : deletedStatus(context, old), gone: true }
  }
  const marked = markedForDeletion(context, old, finalizers, grace)
  if (marked === undefined) return { result: stored, gone: false }
  const canonical = canonicalize(resource.type, marked)
  if (context.dryRun) return { result: canonical, gone: false }
  const result = await engine.storage.transaction(
    [{ key: stored.key, revision: stored.revision }],
    [{ type: 'put', key: stored.key, object: canonical }],
  )
  return result.succeeded ? { result: result.stored[0] as StoredObject, gone: false } : undefined
}

/** @returns undefined if the object is marked already and nothing about it changes */
function markedForDeletion(context: RequestContext, old: KubeObject, finalizers: string[], grace: number): KubeObject | undefined {
  const meta = old.metadata
  const now = context.engine.clock.now()
  const sameFinalizers =
    finalizers.length === (meta.finalizers?.length ?? 0) && finalizers.every((name, index) => name === meta.finalizers?.[index])
  const draft: KubeObject = { ...old, metadata: { ...meta, finalizers } }
  if (meta.deletionTimestamp) {
    const running = meta.deletionGracePeriodSeconds ?? 0
    // A grace period in progress can only be shortened.
    if (grace >= running) return sameFinalizers ? undefined : draft
    draft.metadata.deletionTimestamp = timestamp(Date.parse(meta.deletionTimestamp) - (running - grace) * 1000)
    draft.metadata.deletionGracePeriodSeconds = grace
    return draft
  }
  draft.metadata.deletionTimestamp = timestamp(now + grace * 1000)
  draft.metadata.deletionGracePeriodSeconds = grace
  if (meta.generation) draft.metadata.generation = meta.generation + 1
  context.resource.strategy.markDeleted?.(draft)
  return draft
}

/** An explicit policy overrides the finalizers of the object, which override the kind's default. */
function finalizersAfter(present: string[], options: DeleteOptions, kindDefault: 'Background' | 'Orphan' | undefined): string[] {
  const { orphanDependents, propagationPolicy } = options
  let orphan: boolean
  let foreground: boolean
  if (orphanDependents !== undefined) [orphan, foreground] = [orphanDependents, false]
  else if (propagationPolicy !== undefined) [orphan, foreground] = [propagationPolicy === 'Orphan', propagationPolicy === 'Foreground']
  else {
    orphan = present.includes(ORPHAN) || (!present.includes(FOREGROUND) && kindDefault === 'Orphan')
    foreground = present.includes(FOREGROUND)
  }
  if (present.includes(ORPHAN) === orphan && present.includes(FOREGROUND) === foreground) return present
  return [
    ...present.filter((name) => name !== ORPHAN && name !== FOREGROUND),
    ...(orphan ? [ORPHAN] : []),
    ...(foreground ? [FOREGROUND] : []),
  ]
}

function deletedStatus(context: RequestContext, object: KubeObject): Status {
  const { group, resource } = targetOf(context)
  const { name, uid } = object.metadata
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { ...(name ? { name } : {}), ...(group ? { group } : {}), kind: resource, ...(uid ? { uid } : {}) },
  }
}
