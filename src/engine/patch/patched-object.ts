/**
 * What a patch makes of an object, and how the server quotes it when it does not fit its type (recorded: patch-json, patch-merge,
 * patch-strategic). Worked example: `{"spec":{"replicas":"two"}}` on a deployment answers 422
 * `patch: Invalid value: "{…\"spec\":{…\"replicas\":\"two\"…}…}": json: cannot unmarshal string …` as a merge patch and
 * `patch: Invalid value: "map[spec:map[replicas:two]]": unrecognized type: int32` as a strategic one.
 */
import { type ApiError, badRequest, invalid } from '../http/status'
import { MEDIA_TYPE } from '../names'
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../object'
import { ENVELOPE, jsonTypeName } from '../schema/envelope'
import { goFormat, goQuote } from '../schema/go-text'
import { JsonSyntaxError, readJson } from '../schema/json-reader'
import type { StructType } from '../schema/model'
import { applyJsonPatch } from './json-patch'
import { applyMergePatch } from './merge-patch'
import { applyStrategicMergePatch } from './strategic-merge-patch'

export interface Patched {
  value: JsonObject
  /** `duplicate field "spec.replicas"`, of the patch's own text. */
  duplicates: string[]
  /** A value that was never text is converted to its type, with rules of its own. */
  converted: boolean
  /** The error for a result that does not fit the type: 422. */
  refuse(why: string): ApiError
}

/**
 * @param before the object as this version of the API shows it
 * @param text the request's body
 * @throws ApiError 400 malformed patch, 422 a JSON Patch that fails
 */
export function patchObject(before: KubeObject, contentType: string, text: string, type: StructType): Patched {
  const target = before as unknown as JsonObject
  const { value: patch, duplicates } = readPatch(text)
  if (contentType === MEDIA_TYPE.strategicMergePatch) {
    if (!isJsonObject(patch) && patch !== null) throw badRequest(cannotUnmarshal(patch))
    const refuse = (why: string) => refused(goFormat(patch), why)
    return { value: asObject(applyStrategicMergePatch(target, patch, type), refuse), duplicates, converted: true, refuse }
  }
  const result = contentType === MEDIA_TYPE.jsonPatch ? applyJsonPatch(target, patch) : merged(target, patch)
  const refuse = (why: string) => refused(mixedText(target, result), why)
  // The names that repeat are those of the text that is decoded: a JSON Patch's own are none of them.
  return { value: asObject(result, refuse), duplicates: contentType === MEDIA_TYPE.jsonPatch ? [] : duplicates, converted: false, refuse }
}

function readPatch(text: string): { value: Json; duplicates: string[] } {
  try {
    return readJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`error decoding patch: ${error.message}`)
    throw error
  }
}

function merged(target: JsonObject, patch: Json): Json {
  if (patch === null) throw badRequest('Invalid JSON Patch')
  if (!isJsonObject(patch)) throw badRequest(`error decoding patch: ${cannotUnmarshal(patch)}`)
  return applyMergePatch(target, patch)
}

const cannotUnmarshal = (value: Json): string =>
  `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`

function asObject(value: Json, refuse: (why: string) => ApiError): JsonObject {
  if (isJsonObject(value)) return value
  throw refuse(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${ENVELOPE}`,
  )
}

function refused(quoted: string, why: string): ApiError {
  const detail = `Invalid value: ${goQuote(quoted)}: ${why}`
  return invalid({ group: '', kind: '' }, '', [{ field: 'patch', reason: 'FieldValueInvalid', detail }])
}

/** The result as text: what the patch touched has its names sorted, what it did not has them in the order in which they were. */
function mixedText(before: Json | undefined, after: Json): string {
  if (before === after || before === undefined || typeof after !== 'object' || after === null) return JSON.stringify(after)
  if (Array.isArray(after))
    return `[${after.map((item, index) => mixedText(Array.isArray(before) ? before[index] : undefined, item)).join(',')}]`
  const earlier = isJsonObject(before) ? before : {}
  const members = Object.keys(after).sort()
  return `{${members.map((name) => `${JSON.stringify(name)}:${mixedText(earlier[name], after[name] as Json)}`).join(',')}}`
}
