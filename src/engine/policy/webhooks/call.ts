/** Texts: recordings policy-webhooks, policy-webhookcfg. */
import type { AdmissionAttributes } from '../../admission/admission'
import { readObject } from '../../admission/environment'
import { randomUuid } from '../../core/environment'
import type { OutboundResponse } from '../../core/outbound'
import { RequestTimedOut } from '../../http/status'
import type { Trace } from '../../telemetry/trace'
import {
  ClientFailure,
  LATE,
  postReview,
  type Service,
  UnusableClient,
} from '../../webhooks/client'
import { REVIEW_VERSIONS } from '../../webhooks/review'
import type { PolicyEnvironment, ServedForm } from '../environment'
import type { Webhook } from '../objects'
import { type AdmissionResponse, CallFailure, readAdmissionResponse } from './admission-response'
import { reviewOf } from './review'

const DEFAULT_TIMEOUT_SECONDS = 10

/** @throws CallFailure; RequestTimedOut, whatever the failure policy */
export async function callWebhook(
  environment: PolicyEnvironment,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  form: ServedForm,
  requested: ServedForm,
  mutating: boolean,
): Promise<AdmissionResponse> {
  const version = (webhook.admissionReviewVersions ?? []).find((offered) =>
    REVIEW_VERSIONS.includes(offered),
  )
  if (version === undefined)
    throw new CallFailure(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    )
  const uid = randomUuid(environment.random)
  const review = JSON.stringify(reviewOf(uid, version, attributes, form, requested))
  return readAdmissionResponse(
    await post(environment, webhook, `${review}\n`, attributes.trace),
    uid,
    version,
    mutating,
  )
}

async function post(
  environment: PolicyEnvironment,
  webhook: Webhook,
  body: string,
  trace: Trace,
): Promise<OutboundResponse> {
  const { clock, outbound, credentials } = environment
  const { clientConfig = {}, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = webhook
  const seconds = Math.min(timeoutSeconds, trace.timeLeft() / 1000)
  if (seconds <= 0) throw new RequestTimedOut(LATE)
  const readService = async (namespace: string, name: string) =>
    readObject<Service>(environment, `/registry/services/specs/${namespace}/${name}`)
  try {
    const client = { clock, outbound, readService, credentials }
    return await postReview(client, clientConfig, { seconds, body })
  } catch (error) {
    if (trace.timeLeft() <= 0) throw new RequestTimedOut(LATE)
    if (error instanceof ClientFailure)
      throw new CallFailure(`failed to call webhook: ${error.message}`)
    throw error instanceof UnusableClient ? new CallFailure(error.message) : error
  }
}
