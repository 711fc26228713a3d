/** The Status of a failed call, read as in client-go (rest/request.go). */

import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../core/object'
import type { Status } from '../http/status'
import { builtinModel } from '../schema/builtin'
import { canonicalize } from '../schema/canonical'
import { DecodeError, decodeObject } from '../schema/decode'
import { JsonSyntaxError, readJson } from '../schema/json-reader'
import type { StructType } from '../schema/model'
import { MOST_NESTED } from '../schema/nesting'
import { readYaml, YamlSyntaxError } from '../schema/yaml/reader'

export const statusType = (): StructType =>
  builtinModel().byName('io.k8s.apimachinery.pkg.apis.meta.v1.Status') as StructType

/**
 * Ignores the content type (recording policy-webhooks).
 * @throws JsonSyntaxError, YamlSyntaxError
 */
export const readDocument = (body: string): Json =>
  /^\s*\{/.test(body) ? readJson(body, MOST_NESTED).value : readYaml(body).value

export const canonicalStatus = (status: JsonObject): Partial<Status> =>
  canonicalize(statusType(), status as unknown as KubeObject) as unknown as Partial<Status>

/** Kind and apiVersion may be absent. @returns undefined unless its status is `Failure` */
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
