/**
 * * Checks the metadata of converted objects: only labels and annotations may change. See
 * kubernetes.io, "Versions in CustomResourceDefinitions", "Webhook conversion".
 */
import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
} from '../../core/object'
import { goTypeOf } from '../../validation/custom-objects/scale'
import { validateAnnotations, validateLabels } from '../../validation/object-meta'

/** Has kube-apiserver's message. */
export class UnusableConversion extends Error {
  constructor(
    readonly what: 'object' | 'metadata',
    message: string,
  ) {
    super(message)
  }
}

/** May be reduced to the fields of a manager. */
export interface Convertible {
  kind: string
  apiVersion: string
  metadata?: ObjectMeta | null
  [member: string]: unknown
}

/** @throws UnusableConversion for another object */
export function checkIdentity(original: Convertible, converted: JsonObject): void {
  const metadata = isJsonObject(converted.metadata) ? converted.metadata : {}
  const same = (what: string, before: string, after: Json | undefined) => {
    const found = typeof after === 'string' ? after : ''
    if (before !== found)
      throw new UnusableConversion('object', `must have the same ${what}: ${before} != ${found}`)
  }
  same('kind', original.kind, converted.kind)
  same('name', original.metadata?.name ?? '', metadata.name)
  same('namespace', original.metadata?.namespace ?? '', metadata.namespace)
  same('UID', original.metadata?.uid ?? '', metadata.uid)
}

const FREE = ['labels', 'annotations'] as const

/** The original metadata with converted labels and annotations. @throws UnusableConversion */
export function restoredMetadata(
  { metadata: original = {} }: Convertible,
  converted: JsonObject,
): ObjectMeta {
  const { metadata } = converted
  if (metadata === undefined)
    throw new UnusableConversion('metadata', 'missing metadata in converted object')
  if (!isJsonObject(metadata))
    throw new UnusableConversion(
      'metadata',
      `invalid metadata of type ${goTypeOf(metadata)} in converted object`,
    )
  if (original === null)
    throw new UnusableConversion('metadata', 'invalid metadata of type <nil> in input object')
  const restored: ObjectMeta = { ...original }
  for (const member of FREE) {
    const values = valuesOf(member, metadata[member])
    delete restored[member]
    if (values === undefined) continue
    if (!equalJson(values, original[member] ?? {})) checkValues(member, values)
    restored[member] = values
  }
  return restored
}

/** As whole objects do. */
export function withoutEmptyValues(object: KubeObject): KubeObject {
  const { metadata } = object
  for (const member of FREE) {
    const values = metadata[member]
    if (values !== undefined && Object.keys(values).length === 0) delete metadata[member]
  }
  return object
}

function valuesOf(
  member: (typeof FREE)[number],
  given: Json | undefined,
): Record<string, string> | undefined {
  if (given === undefined || given === null) return undefined
  if (!isJsonObject(given))
    throw new UnusableConversion(
      'metadata',
      `invalid metadata.${member} of type ${goTypeOf(given)} in converted object`,
    )
  for (const [name, value] of Object.entries(given))
    if (typeof value !== 'string')
      throw new UnusableConversion(
        'metadata',
        `metadata.${member}[${name}] must be a string, but is ${goTypeOf(value)} in converted object`,
      )
  return given as Record<string, string>
}

function checkValues(member: (typeof FREE)[number], values: Record<string, string>): void {
  const errors =
    member === 'labels'
      ? validateLabels(values, 'metadata.labels')
      : validateAnnotations(values, 'metadata.annotation')
  const texts = [...new Set(errors.map(({ field, detail }) => `${field}: ${detail}`))]
  if (texts.length > 0)
    throw new UnusableConversion(
      'metadata',
      texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`,
    )
}
