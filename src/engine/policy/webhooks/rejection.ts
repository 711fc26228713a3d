/** Recording: policy-webhooks. */
import {
  ApiError,
  badRequest,
  internalError,
  type RejectionGrounds,
  type Status,
} from '../../http/status'
import { goQuote } from '../../schema/go-text'
import type { Webhook } from '../objects'
import type { AdmissionResponse } from './admission-response'
import type { Hook } from './hooks'

export class WebhookDenial extends ApiError {}

/**
 * A code below 400 becomes 400, status Success or none Failure (k8s.io/apiserver, package
 * pkg/admission/plugin/webhook/errors, ToStatusErr).
 */
export function rejected(
  hook: Hook,
  resource: string,
  { status: given = {} }: AdmissionResponse,
): WebhookDenial {
  const { name = '' } = hook.webhook
  const deniedBy = `admission webhook ${goQuote(name)} denied the request`
  const { message, reason, code = 0, details, metadata = {}, status } = given
  const explanation = message || reason
  const word = status === undefined || status === 'Success' ? 'Failure' : status
  const error: Status = { kind: 'Status', apiVersion: 'v1', metadata, status: word }
  error.message = explanation ? `${deniedBy}: ${explanation}` : `${deniedBy} without explanation`
  if (reason) error.reason = reason
  if (details) error.details = details
  error.code = Math.max(400, code)
  const { retryAfterSeconds = 0 } = details ?? {}
  const denial = new WebhookDenial(
    error,
    retryAfterSeconds > 0 ? { 'retry-after': String(retryAfterSeconds) } : {},
  )
  denial.grounds = groundsOf('webhook', hook, resource)
  return denial
}

/** @param resource of the configuration */
export function callFailed(hook: Hook, resource: string, why: string): ApiError {
  const error = internalError(`failed calling webhook ${goQuote(hook.webhook.name ?? '')}: ${why}`)
  error.grounds = groundsOf('webhook call', hook, resource)
  return error
}

const groundsOf = (
  by: 'webhook call' | 'webhook',
  { webhook: { name = '' }, configuration }: Hook,
  resource: string,
): RejectionGrounds => ({ by, resource, configuration, webhook: name })

/** A dry run may not have side effects. @throws ApiError 400 */
export function checkSideEffects({ name = '', sideEffects }: Webhook): void {
  if (sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return
  throw badRequest(`admission webhook ${goQuote(name)} does not support dry run`)
}
