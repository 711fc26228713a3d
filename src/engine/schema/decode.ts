/** From a document to an object of its type: the typed half of reading a body (document 1, "Field validation"). */
import { isJsonObject, type Json, type KubeObject, sharedParts } from '../object'
import { Converter } from './converter'
import { decodeCustomObject } from './custom-decode'
import type { Decoded, DecodeOptions } from './decode-options'
import { Decoder, MAX_PROBLEMS, withFormatErrors } from './decoder'
import type { StructType } from './model'

export { DecodeError } from './decoder'

/**
 * Decodes a document into an object of its type. Unknown fields are dropped and reported, `null` is as good as absent, times,
 * quantities and bytes become canonical; custom resources are pruned instead (custom-decode.ts). The result shares nothing that
 * may change with the document, except arbitrary JSON (RawExtension and the like).
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
 * Converts an object that a strategic merge patch or an apply made into its type. Like decoding, but with the errors that the real
 * server has for values that are no text, and unknown fields sorted.
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
 * Empty lists are as good as absent, but for one: no entries of managedFields ask to forget those that there are. Those of custom
 * resources are no exception (recorded).
 */
function withReset(type: StructType, result: Decoded, value: Json): Decoded {
  if (type.resource === true) return result
  const entries =
    isJsonObject(value) && isJsonObject(value.metadata) ? value.metadata.managedFields : undefined
  if (Array.isArray(entries) && entries.length === 0 && result.object.metadata !== undefined)
    result.object.metadata.managedFields = []
  return result
}
