/** Error texts: recording policy-webhooks. */

import { isJsonObject, type JsonObject } from '../../core/object'
import type { OutboundResponse } from '../../core/outbound'
import type { Status } from '../../http/status'
import { bytesOfBase64, canonicalBase64 } from '../../schema/base64'
import { goQuote } from '../../schema/go-text'
import { ClientFailure } from '../../webhooks/client'
import { canonicalStatus } from '../../webhooks/failures'
import { checkNamed, reviewIn, textOf } from '../../webhooks/review'
import { ADMISSION_REVIEW } from '../../webhooks/review-types'
import { REVIEW_GROUP, REVIEW_KIND } from './review'

/** The failure policy decides the request. */
export class CallFailure extends Error {
  constructor(
    message: string,
    readonly code = 503,
  ) {
    super(message)
  }
}

export interface AdmissionResponse {
  allowed: boolean
  status?: Partial<Status> | undefined
  /** JSON Patch. */
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
 * v1beta1 does not validate apiVersion, kind and patch type (k8s.io/apiserver, package
 * pkg/admission/plugin/webhook/request).
 * @throws CallFailure
 */
export function readAdmissionResponse(
  response: OutboundResponse,
  uid: string,
  version: string,
  mutating: boolean,
): AdmissionResponse {
  const expected = { group: REVIEW_GROUP, kind: REVIEW_KIND, version, type: ADMISSION_REVIEW }
  const errorCode = response.status >= 300 ? response.status : undefined
  const review = within(
    (why) => failed(why, errorCode),
    () => reviewIn(response, expected),
  )
  const admission = review.response
  if (!isJsonObject(admission)) throw malformed('webhook response was absent')
  const { patch, patchType } =
    version === 'v1'
      ? strictPatch(admission, mutating, uid, () => checkNamed(review, expected))
      : laxPatch(admission)
  return {
    allowed: admission.allowed === true,
    status: isJsonObject(admission.status) ? canonicalStatus(admission.status) : undefined,
    patch: mutating && patch !== '' ? decodedText(patch) : undefined,
    patchType,
    warnings: Array.isArray(admission.warnings) ? admission.warnings.map(textOf) : [],
    auditAnnotations: isJsonObject(admission.auditAnnotations)
      ? Object.fromEntries(
          Object.entries(admission.auditAnnotations).map(([key, value]) => [key, textOf(value)]),
        )
      : {},
  }
}

interface Patch {
  patch: string
  patchType: string | undefined
}

/**
 * kubernetes.io, "Dynamic Admission Control", "Response". Error texts: recording policy-webhooks
 * and k8s.io/apiserver, package pkg/admission/plugin/webhook/request. @throws CallFailure
 */
function strictPatch(
  response: JsonObject,
  mutating: boolean,
  uid: string,
  checkNames: () => void,
): Patch {
  if (response.uid !== uid)
    throw malformed(`expected response.uid=${goQuote(uid)}, got ${goQuote(textOf(response.uid))}`)
  within(malformed, checkNames)
  const patch = textOf(response.patch)
  const patchType = typeof response.patchType === 'string' ? response.patchType : undefined
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

/** Neither uid nor patch type is validated. */
function laxPatch(response: JsonObject): Patch {
  const patch = textOf(response.patch)
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
