import { sameButForTimes } from '../apply/managed-fields'
import type { KubeObject, ObjectMeta } from '../core/object'
import { equalJson, isJsonObject } from '../core/object'
import { semanticallyEqual } from '../schema/semantic-equality'
import type { RequestContext } from './request-context'
import type { Resource } from './resource'

/**
 * A write without changes keeps the times in managedFields; a dropped selfLink counts as a change
 * (kube-apiserver 1.31).
 */
export function keepTimes(canonical: KubeObject, old: KubeObject): void {
  const { metadata } = canonical
  const { managedFields: changed } = metadata
  const before = old.metadata.managedFields
  if (changed === before || !sameButForTimes(changed, before)) return
  metadata.managedFields = before
  if (!equalJson(canonical, old)) metadata.managedFields = changed
}

export function keepMainResource(
  context: RequestContext,
  existing: KubeObject,
  object: KubeObject,
): void {
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

export function carryServerOwned(
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

export function raiseGeneration(
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

/** Absent and empty lists are equal at any depth. Recorded from kube-apiserver 1.31. */
function sameOrEmpty(a: unknown, b: unknown): boolean {
  if (equalJson(a, b) || (isEmptyList(a ?? []) && isEmptyList(b ?? []))) return true
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  return Object.keys({ ...a, ...b }).every((key) => sameOrEmpty(a[key], b[key]))
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const OF_METADATA = 'metadata.'

function memberAt(object: KubeObject, path: string): unknown {
  if (!path.startsWith(OF_METADATA)) return object[path]
  return object.metadata[path.slice(OF_METADATA.length) as keyof ObjectMeta] ?? {}
}
