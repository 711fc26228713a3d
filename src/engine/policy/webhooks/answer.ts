/** The answer of a webhook: what it must look like, and what the server says of one that does not (texts recorded: policy-webhooks). */
import type { Status } from '../../http/status'
import { isJsonObject, type Json, type JsonObject, parseApiVersion } from '../../object'
import type { OutboundResponse } from '../../outbound'
import { bytesOfBase64, canonicalBase64 } from '../../schema/base64'
import { ENVELOPE, jsonTypeName } from '../../schema/envelope'
import { goQuote } from '../../schema/go-text'
import { JsonSyntaxError, readJson } from '../../schema/json-reader'
import { statusText } from '../../webhooks/status-texts'
import { REVIEW_GROUP, REVIEW_KIND } from './review'

/** The call came to nothing; the failure policy decides what becomes of the request. */
export class CallFailure extends Error {}

export interface Verdict {
  allowed: boolean
  /** Why not, in the webhook's words. */
  status?: Partial<Status> | undefined
  /** The text of a JSON Patch. */
  patch?: string | undefined
  patchType?: string | undefined
  warnings: string[]
  auditAnnotations: Record<string, string>
}

const refused = ({ status, contentType, body }: OutboundResponse): string =>
  statusText(status, contentType.startsWith('text/') ? body.trim() : 'unknown')

const failed = (why: string): CallFailure => new CallFailure(`failed to call webhook: ${why}`)
const malformed = (why: string): CallFailure => new CallFailure(`received invalid webhook response: ${why}`)

/**
 * @param uid of the question
 * @param version of the review that was sent
 * @param mutating whether a patch may come with it
 * @throws CallFailure
 */
export function readAnswer(response: OutboundResponse, uid: string, version: string, mutating: boolean): Verdict {
  const { status, contentType, body } = response
  if (status < 200 || status > 206) throw failed(refused(response))
  if (body === '') throw failed(`0-length response with status code: ${status} and content type: ${contentType}`)
  const review = parsed(body)
  checkKind(review, version)
  const answer = review.response
  if (!isJsonObject(answer)) throw malformed('webhook response was absent')
  if (answer.uid !== uid) throw malformed(`expected response.uid=${goQuote(uid)}, got ${goQuote(textOf(answer.uid))}`)
  checkNamed(review, version)
  const patch = textOf(answer.patch)
  const patchType = typeof answer.patchType === 'string' ? answer.patchType : undefined
  if (mutating && patch !== '' && patchType === undefined) throw malformed('webhook returned response.patch but not response.patchType')
  if (mutating && patch === '' && patchType !== undefined) throw malformed('webhook returned response.patchType but not response.patch')
  return {
    allowed: answer.allowed === true,
    status: isJsonObject(answer.status) ? (answer.status as Partial<Status>) : undefined,
    patch: patch === '' ? undefined : decodedText(patch),
    patchType,
    warnings: Array.isArray(answer.warnings) ? answer.warnings.map(textOf) : [],
    auditAnnotations: isJsonObject(answer.auditAnnotations)
      ? Object.fromEntries(Object.entries(answer.auditAnnotations).map(([key, value]) => [key, textOf(value)]))
      : {},
  }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

function decodedText(base64: string): string {
  try {
    return new TextDecoder().decode(bytesOfBase64(canonicalBase64(base64)))
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error))
  }
}

function parsed(body: string): JsonObject {
  const value = json(body)
  if (isJsonObject(value)) return value
  throw failed(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${ENVELOPE}`,
  )
}

/** What does not begin like an object may be YAML, and plain words are a text there. */
function json(body: string): Json {
  if (!/^\s*\{/.test(body)) return body
  try {
    return readJson(body).value
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw failed(`couldn't get version/kind; json parse error: ${error.message}`)
    throw error
  }
}

const REVIEW_VERSIONS = ['v1', 'v1beta1']

/** An answer may leave out what it is, but not be something else. */
function checkKind(review: JsonObject, version: string): void {
  const [apiVersion, kind] = [textOf(review.apiVersion), textOf(review.kind)]
  if (apiVersion === '' && kind === '') return
  const named = parseApiVersion(apiVersion)
  if (named.group !== REVIEW_GROUP || !REVIEW_VERSIONS.includes(named.version) || kind !== REVIEW_KIND)
    throw failed(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:100"`)
  if (named.version !== version)
    throw failed(`converting (${named.version}.${REVIEW_KIND}) to (${version}.${REVIEW_KIND}): unknown conversion`)
}

/** v1 insists on its name; v1beta1 never did. */
function checkNamed(review: JsonObject, version: string): void {
  if (version !== 'v1') return
  const [apiVersion, kind] = [textOf(review.apiVersion), textOf(review.kind)]
  if (kind !== '' && apiVersion !== '') return
  const { group, version: found } = parseApiVersion(apiVersion)
  throw malformed(`expected webhook response of ${REVIEW_GROUP}/v1, Kind=${REVIEW_KIND}, got ${group}/${found}, Kind=${kind}`)
}
