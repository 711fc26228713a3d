import { entryOf, equalJson, type JsonObject } from '../core/object'
import type { StorageEvent } from '../storage/storage'

/**
 * @returns `spec.replicas`, one level deep in `metadata`, `spec` and `status`; empty for creations
 * and deletions
 */
export function changedFields({ type, current, previous }: StorageEvent): string[] {
  if (type !== 'MODIFIED' || previous === undefined) return []
  const [now, before] = [current.object, previous.object] as unknown as JsonObject[]
  if (now === undefined || before === undefined) return []
  return differing(now, before).flatMap((member) => {
    if (member === 'metadata')
      return differing(objectAt(now, member), objectAt(before, member))
        .filter((name) => name !== 'resourceVersion' && name !== 'managedFields')
        .map((name) => `metadata.${name}`)
    if (member !== 'spec' && member !== 'status') return [member]
    return differing(objectAt(now, member), objectAt(before, member)).map(
      (name) => `${member}.${name}`,
    )
  })
}

const objectAt = (object: JsonObject, member: string): JsonObject => {
  const value = entryOf(object, member)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}

const differing = (now: JsonObject, before: JsonObject): string[] =>
  [...new Set([...Object.keys(now), ...Object.keys(before)])].filter(
    (name) => !equalJson(entryOf(now, name), entryOf(before, name)),
  )
