/** The answer of a webhook: what it must look like, and what the server says of one that does not (texts recorded: policy-webhooks). */
import type { Status } from '../../http/status'
import { isJsonObject, type JsonObject } from '../../object'
import type { OutboundResponse } from '../../outbound'
import { bytesOfBase64, canonicalBase64 } from '../../schema/base64'
import { goQuote } from '../../schema/go-text'
import { ClientFailure } from '../../webhooks/client'
import { canonicalStatus } from '../../webhooks/failures'
import { checkNamed, reviewIn, textOf } from '../../webhooks/review'
import { ADMISSION_REVIEW } from '../../webhooks/review-types'
import { REVIEW_GROUP, REVIEW_KIND } from './review'

/** The call came to nothing; the failure policy decides what becomes of the request. */
export class CallFailure extends Error {
  /** @param code status of the answer, if there was one */
  constructor(
    message: string,
    readonly code = 503,
  ) {
    super(message)
  }
}

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

const failed = (why: string, code?: number): CallFailure =>
  new CallFailure(`failed to call webhook: ${why}`, code)
const malformed = (why: string): CallFailure =>
  new CallFailure(`received invalid webhook response: ${why}`)

/**
 * In v1beta1 nobody looked at what an answer says of itself, nor at the type of its patch; that stays so (published tests of the real
 * server).
 * @param uid of the question
 * @param version of the review that was sent
 * @param mutating whether a patch may come with it
 * @throws CallFailure
 */
export function readAnswer(
  response: OutboundResponse,
  uid: string,
  version: string,
  mutating: boolean,
): Verdict {
  const asked = { group: REVIEW_GROUP, kind: REVIEW_KIND, version, type: ADMISSION_REVIEW }
  const refusal = response.status >= 300 ? response.status : undefined
  const review = within(
    (why) => failed(why, refusal),
    () => reviewIn(response, asked),
  )
  const answer = review.response
  if (!isJsonObject(answer)) throw malformed('webhook response was absent')
  const { patch, patchType } =
    version === 'v1'
      ? strictPatch(answer, mutating, uid, () => checkNamed(review, asked))
      : laxPatch(answer)
  return {
    allowed: answer.allowed === true,
    status: isJsonObject(answer.status) ? canonicalStatus(answer.status) : undefined,
    patch: mutating && patch !== '' ? decodedText(patch) : undefined,
    patchType,
    warnings: Array.isArray(answer.warnings) ? answer.warnings.map(textOf) : [],
    auditAnnotations: isJsonObject(answer.auditAnnotations)
      ? Object.fromEntries(
          Object.entries(answer.auditAnnotations).map(([key, value]) => [key, textOf(value)]),
        )
      : {},
  }
}

interface Patch {
  /** Empty: none. */
  patch: string
  patchType: string | undefined
}

/** v1 insists on everything (public documentation, "Response"; texts recorded or of the release's public tests). @throws CallFailure */
function strictPatch(
  answer: JsonObject,
  mutating: boolean,
  uid: string,
  checkNames: () => void,
): Patch {
  if (answer.uid !== uid)
    throw malformed(`expected response.uid=${goQuote(uid)}, got ${goQuote(textOf(answer.uid))}`)
  within(malformed, checkNames)
  const patch = textOf(answer.patch)
  const patchType = typeof answer.patchType === 'string' ? answer.patchType : undefined
  if (!mutating && patch !== '') throw malformed('validating webhook may not return response.patch')
  if (!mutating && patchType !== undefined)
    throw malformed('validating webhook may not return response.patchType')
  if (patch !== '' && patchType === undefined)
    throw malformed('webhook returned response.patch but not response.patchType')
  if (patch === '' && patchType !== undefined)
    throw malformed('webhook returned response.patchType but not response.patch')
  if (patchType === '') throw malformed('webhook returned invalid response.patchType of ""')
  return { patch, patchType }
}

/** v1beta1 asked neither for the question's name nor for the type of a patch, and knew one type only. */
function laxPatch(answer: JsonObject): Patch {
  const patch = textOf(answer.patch)
  return { patch, patchType: patch === '' ? undefined : 'JSONPatch' }
}

function within<Result>(words: (why: string) => CallFailure, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof ClientFailure ? words(error.message) : error
  }
}

function decodedText(base64: string): string {
  try {
    return new TextDecoder().decode(bytesOfBase64(canonicalBase64(base64)))
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error))
  }
}
