/** The Status objects of other servers: what the server's client reads of a failed call's body (client-go, rest/request.go). */
import type { Status } from '../http/status'
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../object'
import { builtinModel } from '../schema/builtin'
import { canonicalize } from '../schema/canonical'
import { DecodeError, decodeObject } from '../schema/decode'
import { JsonSyntaxError, readJson } from '../schema/json-reader'
import type { StructType } from '../schema/model'
import { MOST_NESTED } from '../schema/nesting'
import { readYaml, YamlSyntaxError } from '../schema/yaml/reader'

export const statusType = (): StructType =>
  builtinModel().byName('io.k8s.apimachinery.pkg.apis.meta.v1.Status') as StructType

/** What does not begin like a JSON object is YAML, whatever its content type (policy-webhooks). @throws JsonSyntaxError, YamlSyntaxError */
export const readDocument = (body: string): Json =>
  /^\s*\{/.test(body) ? readJson(body, MOST_NESTED).value : readYaml(body).value

/** A decoded Status as the server writes it: its own members, in their own order. */
export const canonicalStatus = (status: JsonObject): Partial<Status> =>
  canonicalize(statusType(), status as unknown as KubeObject) as unknown as Partial<Status>

/** @returns the Status that a body is, if it says `Failure`; a body that names no kind or version is taken for one */
export function failureIn(body: string): Partial<Status> | undefined {
  const document = documentIn(body)
  if (!isJsonObject(document)) return undefined
  const { kind, apiVersion } = document
  if ((kind ?? 'Status') !== 'Status' || (apiVersion ?? 'v1') !== 'v1') return undefined
  const status = decodedStatus(document)
  return status?.status === 'Failure' ? status : undefined
}

function documentIn(body: string): Json | undefined {
  try {
    return readDocument(body)
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof YamlSyntaxError) return undefined
    throw error
  }
}

function decodedStatus(document: JsonObject): Partial<Status> | undefined {
  try {
    return canonicalStatus(decodeObject(statusType(), document).object as unknown as JsonObject)
  } catch (error) {
    if (error instanceof DecodeError) return undefined
    throw error
  }
}
