/** What `kubectl run` and `kubectl expose` change in the objects that they generate. */
import type { Json, JsonObject } from '../../../engine/core/object'
import { applyMergePatch } from '../../../engine/patch/merge-patch'
import { CommandError } from '../../errors'

export function inNamespace(object: JsonObject, namespace: string): JsonObject {
  const { name = null, ...metadata } = object.metadata as JsonObject
  return { ...object, metadata: { name, namespace, ...metadata } }
}

export function overridden(object: JsonObject, text: string): JsonObject {
  if (text === '') return object
  try {
    return applyMergePatch(object, JSON.parse(text) as Json) as JsonObject
  } catch {
    throw new CommandError(`couldn't parse --overrides: ${text}`)
  }
}
