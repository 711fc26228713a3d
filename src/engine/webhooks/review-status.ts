/** Error messages recorded from kube-apiserver 1.31. */
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { DecodeError, decodeObject } from '../schema/decode'
import { ENVELOPE, jsonTypeName } from '../schema/envelope'
import type { StructType } from '../schema/model'
import { readYaml } from '../schema/yaml/reader'
import { failureIn } from './failures'
import { statusText } from './status-texts'

export class ReviewResponseError extends Error {
  constructor(
    message: string,
    readonly retriable: boolean,
  ) {
    super(message)
  }
}

export interface ExpectedReview {
  kind: string
  apiVersion: string
  type: StructType
}

/**
 * @returns empty for a review without status
 * @throws ReviewResponseError
 */
export function statusIn(expected: ExpectedReview, code: number, body: string): JsonObject {
  if (code < 200 || code > 206) throw errorOfResponse(code, body)
  const document = parsed(body)
  if (!isJsonObject(document)) {
    const found = typeof document === 'undefined' ? 'string' : jsonTypeName(document)
    throw new ReviewResponseError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type ${ENVELOPE}`,
      false,
    )
  }
  if (!document.kind) throw new ReviewResponseError(`Object 'Kind' is missing in '${body}'`, false)
  if (document.kind !== expected.kind || document.apiVersion !== expected.apiVersion)
    throw new ReviewResponseError(
      `unable to decode ${String(document.apiVersion)}, Kind=${String(document.kind)} into a ${expected.kind} of ${expected.apiVersion}`,
      false,
    )
  const { status } = decoded(expected.type, document)
  return isJsonObject(status) ? status : {}
}

function decoded(type: StructType, document: JsonObject): JsonObject {
  try {
    return decodeObject(type, document).object as unknown as JsonObject
  } catch (error) {
    throw error instanceof DecodeError ? new ReviewResponseError(error.message, false) : error
  }
}

function parsed(body: string): Json | undefined {
  try {
    return readYaml(body).value
  } catch {
    return undefined
  }
}

const RETRIABLE_REASONS = ['InternalError', 'Timeout', 'TooManyRequests', 'ServerTimeout']

function errorOfResponse(code: number, body: string): ReviewResponseError {
  const failure = failureIn(body)
  if (failure !== undefined)
    return new ReviewResponseError(
      failure.message ?? '',
      RETRIABLE_REASONS.includes(failure.reason ?? ''),
    )
  const words = body.trim()
  if (code === 401 && words !== '') return new ReviewResponseError(words, false)
  return new ReviewResponseError(
    statusText(code, words || 'unknown'),
    code === 429 || (code >= 500 && code !== 503),
  )
}
