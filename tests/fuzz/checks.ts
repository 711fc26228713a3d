/** What must hold of every response, and of the store behind them all. */

import { parse as parseYaml } from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../../src/engine/core/object'
import { decodeProtobuf } from '../../src/engine/encoding/protobuf/codec'
import { jsonObject } from '../support/json-objects'
import type { FuzzRequest } from './corpus'
import type { TestResponse } from './server'

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** @returns what is wrong with the response; undefined if nothing is */
export function problemOf(request: FuzzRequest, response: TestResponse): string | undefined {
  const type = response.headers.get('content-type') ?? ''
  if (response.status < 200 || response.status > 599) return `status ${response.status}`
  if (request.method === 'HEAD' && response.body.length > 0) return 'a response to HEAD with a body'
  if (response.cut || response.body.length === 0) return undefined
  const document = documentOf(type, response.body)
  if (typeof document === 'string') return document
  if (response.status === 500 && !isExpected500(document, response))
    return `a 500 that no rule gives: ${text(response.body).slice(0, 500)}`
  if (document !== undefined && response.status >= 400)
    return statusProblem(document, response.status)
  return undefined
}

/** @returns undefined for other types and streams; a text reports what is wrong */
function documentOf(type: string, body: Uint8Array): JsonObject | string | undefined {
  try {
    if (type === 'application/json') return objectOf(readJsonLines(text(body)))
    if (type === 'application/yaml') return objectOf(parseYaml(text(body)) as Json)
    if (type === 'application/vnd.kubernetes.protobuf')
      return jsonObject(decodeProtobuf(body).object)
    return undefined
  } catch (error) {
    return `a body that is not ${type}: ${error} ${text(body).slice(0, 300)}`
  }
}

/** One document, or the events of a watch that ended. */
function readJsonLines(body: string): Json {
  const lines = body.trimEnd().split('\n')
  if (lines.length > 1 && lines.every((line) => line.startsWith('{"type":"')))
    return lines.map((line) => JSON.parse(line) as Json)[0] as Json
  return JSON.parse(body) as Json
}

const objectOf = (value: Json): JsonObject | undefined => (isJsonObject(value) ? value : undefined)

/**
 * Kube-apiserver also returns 500 for some requests: with a Status without a reason, with plain
 * text, or because a webhook failed.
 */
function isExpected500(document: JsonObject | undefined, response: TestResponse): boolean {
  if (document === undefined) return text(response.body).startsWith('Internal Server Error: ')
  return (
    document.reason === undefined ||
    String(document.message).startsWith('Internal error occurred: failed calling webhook ')
  )
}

function statusProblem(document: JsonObject, status: number): string | undefined {
  if (document.kind !== 'Status' || document.status !== 'Failure')
    return `an error that is not a Status: ${JSON.stringify(document).slice(0, 300)}`
  return document.code === status
    ? undefined
    : `a Status of code ${document.code} in a response of code ${status}`
}
