/**
 * Decodes JSON as a type, and reports unknown and duplicate fields. See kubernetes.io, "Kubernetes
 * API Concepts", "Field validation".
 */
import { isJsonObject, type Json, type KubeObject, sharedParts } from '../core/object'
import { Converter } from './converter'
import { decodeCustomObject } from './custom-decode'
import { withFormatErrors } from './decode-error'
import type { Decoded, DecodeOptions } from './decode-options'
import { Decoder, MAX_PROBLEMS } from './decoder'
import type { StructType } from './model'

export { DecodeError } from './decode-error'

/**
 * Drops and reports unknown fields; `null` counts as absent. Only prunes custom resources
 * (custom-decode.ts). Shares only arbitrary JSON (RawExtension …) with the document.
 * @throws DecodeError
 */
export function decodeObject(type: StructType, value: Json, options: DecodeOptions = {}): Decoded {
  return withReset(type, decoded(type, value, options), value)
}

function decoded(type: StructType, value: Json, options: DecodeOptions): Decoded {
  if (type.resource === true) return decodeCustomObject(type, value, options)
  const decoder = new Decoder(options.details, true, 0, canonicalParts(value, options))
  const object = withFormatErrors(() => decoder.decode(type, value))
  const foundInPlace = options.details !== undefined && options.details.repeated.size > 0
  const problems = foundInPlace
    ? decoder.problems
    : [...(options.duplicates ?? []), ...decoder.problems]
  return { object: object as unknown as KubeObject, problems: problems.slice(0, MAX_PROBLEMS) }
}

/**
 * For results of strategic merge patches and applies, with the errors of converter.ts and sorted
 * unknown fields.
 * @throws DecodeError `cannot convert int64 to string`
 */
export function convertObject(type: StructType, value: Json, options: DecodeOptions = {}): Decoded {
  return withReset(type, converted(type, value, options), value)
}

function converted(type: StructType, value: Json, options: DecodeOptions): Decoded {
  if (type.resource === true) return decodeCustomObject(type, value, options)
  const converter = new Converter(canonicalParts(value, options))
  const object = withFormatErrors(() => converter.decode(type, value))
  const problems = [...(options.duplicates ?? []), ...converter.problems.sort()]
  return { object: object as unknown as KubeObject, problems: problems.slice(0, MAX_PROBLEMS) }
}

const canonicalParts = (value: Json, { madeOf }: DecodeOptions): ReadonlySet<Json> | undefined =>
  madeOf === undefined ? undefined : sharedParts(value, madeOf)

/**
 * An empty managedFields list resets them; other empty lists count as absent. Recorded from
 * kube-apiserver 1.31.
 */
function withReset(type: StructType, result: Decoded, value: Json): Decoded {
  if (type.resource === true) return result
  const entries =
    isJsonObject(value) && isJsonObject(value.metadata) ? value.metadata.managedFields : undefined
  if (Array.isArray(entries) && entries.length === 0 && result.object.metadata !== undefined)
    result.object.metadata.managedFields = []
  return result
}
