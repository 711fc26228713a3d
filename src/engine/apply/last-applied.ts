/**
 * Server-side applies update kubectl's last-applied annotation, so that a user can return to
 * client-side apply. Conflicts about its values are kubectl's own. See k8s.io/apimachinery,
 * util/managedfields/internal/lastappliedupdater.go.
 */
import { ANNOTATION } from '../core/names'
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { escapeHtml } from '../schema/canonical'
import type { StructType } from '../schema/model'
import { compare, fieldSetOf } from './compare'
import { difference, type FieldSet, union } from './field-set'
import { memberOf } from './typed-value'
import { problemsOf } from './validate'

export const KUBECTL = 'kubectl'

const MAX_ANNOTATIONS_BYTES = 256 * 1024

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const metadata = memberOf(object, 'metadata')
  const annotations = isJsonObject(metadata) ? metadata.annotations : undefined
  return isJsonObject(annotations) ? annotations : undefined
}

/** Paths whose live value is the applied one; undefined without a valid annotation. */
export function unchangedSinceLastApplied(
  live: JsonObject,
  apiVersion: string,
  type: StructType,
): FieldSet | undefined {
  const text = annotationsOf(live)?.[ANNOTATION.lastApplied]
  const applied = typeof text === 'string' ? parsed(text) : undefined
  if (
    !isJsonObject(applied) ||
    applied.apiVersion !== apiVersion ||
    problemsOf(applied, type).length > 0
  )
    return undefined
  const { added, modified, removed } = compare(applied, live, type)
  return difference(fieldSetOf(applied, type), union(union(modified, added), removed))
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** An object without the annotation stays unchanged. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const annotations = annotationsOf(object)
  if (!annotations?.[ANNOTATION.lastApplied]) return object
  const text = `${escapeHtml(JSON.stringify(sorted(withoutAnnotation(applied))))}\n`
  if (annotations[ANNOTATION.lastApplied] === text) return object
  const changed: JsonObject = { ...annotations, [ANNOTATION.lastApplied]: text }
  if (bytesOf(changed) > MAX_ANNOTATIONS_BYTES) delete changed[ANNOTATION.lastApplied]
  return { ...object, metadata: { ...(object.metadata as JsonObject), annotations: changed } }
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const annotations = annotationsOf(applied)
  if (annotations === undefined) return applied
  const { [ANNOTATION.lastApplied]: _text, ...others } = annotations
  return { ...applied, metadata: { ...(applied.metadata as JsonObject), annotations: others } }
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name] as Json)]),
  )
}

function bytesOf(annotations: JsonObject): number {
  const encoder = new TextEncoder()
  return Object.entries(annotations).reduce(
    (sum, [name, value]) =>
      sum + encoder.encode(name).length + encoder.encode(String(value)).length,
    0,
  )
}
