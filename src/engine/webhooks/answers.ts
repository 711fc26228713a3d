/** What webhooks answer to reviews: the status of the review, or why it is none (messages are the real server's; recorded). */
import { isJsonObject, type Json, type JsonObject } from '../object'
import { ENVELOPE, jsonTypeName } from '../schema/envelope'
import { readYaml } from '../schema/yaml-reader'

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

/** The status of the review that a body should be; empty if it has none. @throws AnswerError */
export function statusIn(expected: { kind: string; apiVersion: string }, code: number, body: string): JsonObject {
  const document = parsed(body)
  if (code < 200 || code > 206) throw refusal(code, body, document)
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
  return isJsonObject(document.status) ? document.status : {}
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
function refusal(code: number, body: string, document: Json | undefined): AnswerError {
  if (isJsonObject(document) && document.kind === 'Status' && document.status !== 'Success')
    return new AnswerError(String(document.message ?? 'unknown'), RETRIABLE_REASONS.includes(String(document.reason)))
  switch (code) {
    case 401:
      return new AnswerError(body.trim() || 'the server has asked for the client to provide credentials', false)
    case 403:
      return new AnswerError(body.trim() || 'unknown', false)
    case 404:
      return new AnswerError('the server could not find the requested resource', false)
    case 429:
      return new AnswerError('the server has received too many requests and has asked us to try again later', true)
    case 503:
      return new AnswerError('the server is currently unable to handle the request', false)
    case 504:
      return new AnswerError(
        'the server was unable to return a response in the time allotted, but may still be processing the request',
        true,
      )
    default:
      return code >= 500
        ? new AnswerError(
            `an error on the server (${JSON.stringify(body.trim() || 'unknown')}) has prevented the request from succeeding`,
            true,
          )
        : new AnswerError(`the server responded with the status code ${code} but did not return more information`, false)
  }
}
