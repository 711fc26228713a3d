/** What a client is told whose request a webhook refused, or could not judge (recorded: policy-webhooks). */
import { ApiError, badRequest, internalError, type Status } from '../../http/status'
import { goQuote } from '../../schema/go-text'
import type { Webhook } from '../objects'
import type { Verdict } from './answer'

/** A webhook did not allow the request. */
export class WebhookRefusal extends ApiError {}

/**
 * The webhook's own status, with its message put behind who refused. What is no code of an error becomes 400, and what says success,
 * or nothing, a failure (`ToStatusErr` of the public source).
 */
export function rejected(name: string, { status: given = {} }: Verdict): WebhookRefusal {
  const deniedBy = `admission webhook ${goQuote(name)} denied the request`
  const { message, reason, code = 0, details, metadata = {}, status } = given
  const told = message || reason
  const word = status === undefined || status === 'Success' ? 'Failure' : status
  const refusal: Status = { kind: 'Status', apiVersion: 'v1', metadata, status: word }
  refusal.message = told ? `${deniedBy}: ${told}` : `${deniedBy} without explanation`
  if (reason) refusal.reason = reason
  if (details) refusal.details = details
  refusal.code = Math.max(400, code)
  const { retryAfterSeconds = 0 } = details ?? {}
  return new WebhookRefusal(
    refusal,
    retryAfterSeconds > 0 ? { 'retry-after': String(retryAfterSeconds) } : {},
  )
}

export const callFailed = (name: string, why: string): ApiError =>
  internalError(`failed calling webhook ${goQuote(name)}: ${why}`)

/** On a dry run nothing may be called that would leave traces. @throws ApiError 400 */
export function checkSideEffects({ name = '', sideEffects }: Webhook): void {
  if (sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return
  throw badRequest(`admission webhook ${goQuote(name)} does not support dry run`)
}
