/** The answer to a review that was posted: the review in it, and what the server says of one that is none (texts recorded: policy-webhooks). */
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

/** What was asked: its kind, in the version that the webhook understands. */
export interface ReviewKind {
  group: string
  version: string
  kind: string
  /** What its answers look like. */
  type: () => StructType
}

/** The versions of reviews that the server sends and reads, the preferred one first. */
export const REVIEW_VERSIONS = ['v1', 'v1beta1']

/** @returns the decoded review: it has no members that its type does not know @throws ClientFailure */
export function reviewIn(response: OutboundResponse, asked: ReviewKind): JsonObject {
  const { status, contentType, body } = response
  if (status < 200 || status > 206) throw new ClientFailure(refusalText(response))
  if (body === '')
    throw new ClientFailure(
      `0-length response with status code: ${status} and content type: ${contentType}`,
    )
  const review = parsed(body)
  checkKind(review, asked)
  return decoded(review, asked)
}

/** How much of a refusal's text is told. */
const MOST_WORDS = 2048

/** What the server's client makes of a refusal: a Status speaks for itself, and what names no type counts as text. */
function refusalText({ status, contentType, body }: OutboundResponse): string {
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

/** What an answer leaves out of its name it has from what was asked (recorded); what it says must be known, and of that version. */
function checkKind(review: JsonObject, { group, version, kind: asked }: ReviewKind): void {
  const { apiVersion, kind } = namesOf(review)
  const settled = { apiVersion: apiVersion || `${group}/${version}`, kind: kind || asked }
  const named = parseApiVersion(settled.apiVersion)
  if (settled.apiVersion === 'v1' && UNGROUPED.includes(settled.kind))
    throw new ClientFailure(
      `converting (v1.${settled.kind}) to (${version}.${asked}): unknown conversion`,
    )
  if (named.group !== group || !REVIEW_VERSIONS.includes(named.version) || settled.kind !== asked)
    throw new ClientFailure(
      `no kind ${goQuote(settled.kind)} is registered for version ${goQuote(settled.apiVersion)} in scheme "pkg/runtime/scheme.go:100"`,
    )
  if (named.version !== version)
    throw new ClientFailure(
      `converting (${named.version}.${asked}) to (${version}.${asked}): unknown conversion`,
    )
}

/** v1 insists on its name; v1beta1 never did. @throws ClientFailure */
export function checkNamed(review: JsonObject, { group, version, kind: asked }: ReviewKind): void {
  if (version !== 'v1') return
  const { apiVersion, kind } = namesOf(review)
  if (kind !== '' && apiVersion !== '') return
  const found = parseApiVersion(apiVersion)
  throw new ClientFailure(
    `expected webhook response of ${group}/v1, Kind=${asked}, got ${found.group}/${found.version}, Kind=${kind}`,
  )
}

const namesOf = ({ apiVersion, kind }: JsonObject): { apiVersion: string; kind: string } => ({
  apiVersion: textOf(apiVersion),
  kind: textOf(kind),
})

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
