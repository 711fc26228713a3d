/** Messages: recording policy-webhooks. */
import { isJsonObject, type Json, type JsonObject, parseApiVersion } from '../core/object'
import type { OutboundResponse } from '../core/outbound'
import { builtinModel } from '../schema/builtin'
import { DecodeError, decodeObject } from '../schema/decode'
import { ENVELOPE, envelopeOf, jsonTypeName, SyntaxProblem } from '../schema/envelope'
import { goQuote } from '../schema/go-text'
import { JsonSyntaxError } from '../schema/json-reader'
import type { StructType } from '../schema/model'
import { EVERYWHERE, INTERNAL, UNGROUPED } from '../schema/registered-kinds'
import { YamlSyntaxError } from '../schema/yaml/reader'
import { ClientFailure } from './client'
import { failureIn, readDocument } from './failures'
import { statusText } from './status-texts'

export interface ReviewKind {
  group: string
  version: string
  kind: string
  type: (version: string) => StructType
}

/** The preferred one first. */
export const REVIEW_VERSIONS = ['v1', 'v1beta1']

/** Drops unknown members. @throws ClientFailure */
export function reviewIn(response: OutboundResponse, expected: ReviewKind): JsonObject {
  const { status, contentType, body } = response
  if (status < 200 || status > 206) throw new ClientFailure(statusErrorText(response))
  if (body === '')
    throw new ClientFailure(
      `0-length response with status code: ${status} and content type: ${contentType}`,
    )
  const review = parsed(body)
  const found = foundKind(review, expected)
  const object = decoded(review, found.type)
  if (found.name !== expected.kind || found.version !== expected.version)
    throw new ClientFailure(
      `converting (${found.version}.${found.name}) to (${expected.version}.${expected.kind}): unknown conversion`,
    )
  return object
}

/** Characters. */
const MOST_WORDS = 2048

/**
 * As client-go: the message of a Status, or the body, which counts as text without a content type.
 */
function statusErrorText({ status, contentType, body }: OutboundResponse): string {
  const failure = failureIn(body)
  if (failure !== undefined) return failure.message ?? ''
  const isText = contentType === '' || /^\s*text\//i.test(contentType)
  return statusText(status, isText ? body.slice(0, MOST_WORDS).trim() : 'unknown')
}

function parsed(body: string): JsonObject {
  const value = read(body)
  if (value === null) return {}
  if (isJsonObject(value)) return value
  throw new ClientFailure(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${ENVELOPE}`,
  )
}

function read(body: string): Json {
  try {
    return readDocument(body)
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ClientFailure(`couldn't get version/kind; json parse error: ${error.message}`)
    throw error instanceof YamlSyntaxError ? new ClientFailure(error.message) : error
  }
}

/** @param type absent: drops all members */
function decoded(review: JsonObject, type: StructType | undefined): JsonObject {
  if (type === undefined) return {}
  try {
    return decodeObject(type, review).object as unknown as JsonObject
  } catch (error) {
    throw error instanceof DecodeError ? new ClientFailure(error.message) : error
  }
}

interface FoundKind {
  name: string
  version: string
  type: StructType | undefined
}

/**
 * Defaults to the expected kind (recording policy-webhooks). Another kind is decoded before its
 * conversion fails (k8s.io/apimachinery, pkg/runtime/serializer/versioning).
 * @throws ClientFailure for unknown kinds
 */
function foundKind(review: JsonObject, { group, version, kind, type }: ReviewKind): FoundKind {
  const named = namesOf(review)
  const name = named.kind || kind
  const apiVersion = named.apiVersion || `${group}/${version}`
  if (apiVersion.split('/').length > 2)
    throw new ClientFailure(`unexpected GroupVersion string: ${apiVersion}`)
  const found = parseApiVersion(apiVersion)
  if (UNGROUPED.includes(name)) return commonKind(name)
  if (found.group === group && REVIEW_VERSIONS.includes(found.version)) {
    if (name === kind) return { name, version: found.version, type: type(found.version) }
    if (EVERYWHERE.includes(name)) return commonKind(name)
  }
  const place =
    found.version === INTERNAL
      ? `the internal version of group ${goQuote(found.group)}`
      : `version ${goQuote(apiVersion)}`
  throw new ClientFailure(
    `no kind ${goQuote(name)} is registered for ${place} in scheme "pkg/runtime/scheme.go:100"`,
  )
}

const commonKind = (name: string): FoundKind => ({
  name,
  version: 'v1',
  type: builtinModel().byName(`io.k8s.apimachinery.pkg.apis.meta.v1.${name}`) as
    | StructType
    | undefined,
})

/** Only in v1. @throws ClientFailure */
export function checkNamed(
  review: JsonObject,
  { group, version, kind: expected }: ReviewKind,
): void {
  if (version !== 'v1') return
  const { apiVersion, kind } = namesOf(review)
  if (kind !== '' && apiVersion !== '') return
  const found = parseApiVersion(apiVersion)
  throw new ClientFailure(
    `expected webhook response of ${group}/v1, Kind=${expected}, got ${found.group}/${found.version}, Kind=${kind}`,
  )
}

function namesOf(review: JsonObject): { apiVersion: string; kind: string } {
  try {
    const { apiVersion = '', kind = '' } = envelopeOf(review)
    return { apiVersion, kind }
  } catch (error) {
    throw error instanceof SyntaxProblem ? new ClientFailure(error.message) : error
  }
}

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
