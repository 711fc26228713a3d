/** What webhooks answer to reviews: the status of the review, or why it is none (messages are the real server's; recorded). */
import { isJsonObject, type Json, type JsonObject } from '../object'
import { DecodeError, decodeObject } from '../schema/decode'
import { ENVELOPE, jsonTypeName } from '../schema/envelope'
import type { StructType } from '../schema/model'
import { readYaml } from '../schema/yaml/reader'
import { failureIn } from './failures'
import { statusText } from './status-texts'

/** An answer that is none; the message is the real server's. */
export class AnswerError extends Error {
  /** @param retriable asking again may help */
  constructor(
    message: string,
    readonly retriable: boolean,
  ) {
    super(message)
  }
}

/** The kind of the answer, and its type. */
export interface ReviewAnswer {
  kind: string
  apiVersion: string
  type: StructType
}

/** The decoded status of the review that a body should be; empty if it has none. @throws AnswerError */
export function statusIn(expected: ReviewAnswer, code: number, body: string): JsonObject {
  if (code < 200 || code > 206) throw refusal(code, body)
  const document = parsed(body)
  if (!isJsonObject(document)) {
    const found = typeof document === 'undefined' ? 'string' : jsonTypeName(document)
    throw new AnswerError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type ${ENVELOPE}`,
      false,
    )
  }
  if (!document.kind) throw new AnswerError(`Object 'Kind' is missing in '${body}'`, false)
  if (document.kind !== expected.kind || document.apiVersion !== expected.apiVersion)
    throw new AnswerError(
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
    throw error instanceof DecodeError ? new AnswerError(error.message, false) : error
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

/** A Status speaks for itself; of anything else only the code is told. */
function refusal(code: number, body: string): AnswerError {
  const failure = failureIn(body)
  if (failure !== undefined)
    return new AnswerError(failure.message ?? '', RETRIABLE_REASONS.includes(failure.reason ?? ''))
  const words = body.trim()
  if (code === 401 && words !== '') return new AnswerError(words, false)
  return new AnswerError(
    statusText(code, words || 'unknown'),
    code === 429 || (code >= 500 && code !== 503),
  )
}
