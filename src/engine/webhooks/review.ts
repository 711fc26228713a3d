/** Decodes the response to a posted review. Texts: recording policy-webhooks. */
import { isJsonObject, type Json, type JsonObject, parseApiVersion } from '../object'
import type { OutboundResponse } from '../outbound'
import { DecodeError, decodeObject } from '../schema/decode'
import { ENVELOPE, jsonTypeName } from '../schema/envelope'
import { goQuote } from '../schema/go-text'
import { JsonSyntaxError } from '../schema/json-reader'
import type { StructType } from '../schema/model'
import { UNGROUPED } from '../schema/registered-kinds'
import { YamlSyntaxError } from '../schema/yaml/reader'
import { ClientFailure } from './client'
import { failureIn, readDocument } from './failures'
import { statusText } from './status-texts'

/** The expected kind, in the version of the webhook. */
export interface ReviewKind {
  group: string
  version: string
  kind: string
  /** The schema of the response. */
  type: () => StructType
}

/** The versions of reviews that the server sends and reads, the preferred one first. */
export const REVIEW_VERSIONS = ['v1', 'v1beta1']

/** @returns the decoded review: it has no members that its type does not know @throws ClientFailure */
export function reviewIn(response: OutboundResponse, expected: ReviewKind): JsonObject {
  const { status, contentType, body } = response
  if (status < 200 || status > 206) throw new ClientFailure(statusErrorText(response))
  if (body === '')
    throw new ClientFailure(
      `0-length response with status code: ${status} and content type: ${contentType}`,
    )
  const review = parsed(body)
  checkKind(review, expected)
  return decoded(review, expected)
}

/** Maximum length of error text that is reported, in characters. */
const MOST_WORDS = 2048

/**
 * Error text of an unsuccessful response, as client-go derives it: the message of a Status, or the
 * body. A body without a content type counts as text.
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

function decoded(review: JsonObject, { type }: ReviewKind): JsonObject {
  try {
    return decodeObject(type(), review).object as unknown as JsonObject
  } catch (error) {
    throw error instanceof DecodeError ? new ClientFailure(error.message) : error
  }
}

/**
 * Missing apiVersion and kind default to those of the request (recording policy-webhooks); present
 * ones must be known and of that version.
 */
function checkKind(review: JsonObject, { group, version, kind: expected }: ReviewKind): void {
  const { apiVersion, kind } = namesOf(review)
  const settled = { apiVersion: apiVersion || `${group}/${version}`, kind: kind || expected }
  const named = parseApiVersion(settled.apiVersion)
  if (settled.apiVersion === 'v1' && UNGROUPED.includes(settled.kind))
    throw new ClientFailure(
      `converting (v1.${settled.kind}) to (${version}.${expected}): unknown conversion`,
    )
  if (
    named.group !== group ||
    !REVIEW_VERSIONS.includes(named.version) ||
    settled.kind !== expected
  )
    throw new ClientFailure(
      `no kind ${goQuote(settled.kind)} is registered for version ${goQuote(settled.apiVersion)} in scheme "pkg/runtime/scheme.go:100"`,
    )
  if (named.version !== version)
    throw new ClientFailure(
      `converting (${named.version}.${expected}) to (${version}.${expected}): unknown conversion`,
    )
}

/** v1 insists on its name; v1beta1 never did. @throws ClientFailure */
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

const namesOf = ({ apiVersion, kind }: JsonObject): { apiVersion: string; kind: string } => ({
  apiVersion: textOf(apiVersion),
  kind: textOf(kind),
})

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
