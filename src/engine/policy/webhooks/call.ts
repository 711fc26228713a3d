/** One call of one webhook: where it goes, how long it may take, what comes back (texts recorded: policy-webhooks, policy-webhookcfg). */
import type { AdmissionAttributes } from '../../admission/admission'
import { readObject } from '../../admission/environment'
import { randomUuid } from '../../environment'
import type { OutboundResponse } from '../../outbound'
import { ClientFailure, postReview, type Service, UnusableClient } from '../../webhooks/client'
import { REVIEW_VERSIONS } from '../../webhooks/review'
import type { PolicyEnvironment, ServedForm } from '../environment'
import type { Webhook } from '../objects'
import { CallFailure, readAnswer, type Verdict } from './answer'
import { reviewOf } from './review'

const DEFAULT_TIMEOUT_SECONDS = 10

/** @throws CallFailure */
export async function callWebhook(
  environment: PolicyEnvironment,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  form: ServedForm,
  requested: ServedForm,
  mutating: boolean,
): Promise<Verdict> {
  const version = (webhook.admissionReviewVersions ?? []).find((offered) => REVIEW_VERSIONS.includes(offered))
  if (version === undefined)
    throw new CallFailure('could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)')
  const uid = randomUuid(environment.random)
  const review = JSON.stringify(reviewOf(uid, version, attributes, form, requested))
  return readAnswer(await post(environment, webhook, `${review}\n`), uid, version, mutating)
}

/** @throws CallFailure */
async function post(environment: PolicyEnvironment, webhook: Webhook, body: string): Promise<OutboundResponse> {
  const { clock, outbound } = environment
  const { clientConfig = {}, timeoutSeconds: seconds = DEFAULT_TIMEOUT_SECONDS } = webhook
  const readService = (namespace: string, name: string) => readObject<Service>(environment, `/registry/services/specs/${namespace}/${name}`)
  try {
    return await postReview({ clock, outbound, readService }, clientConfig, { seconds, body })
  } catch (error) {
    if (error instanceof ClientFailure) throw new CallFailure(`failed to call webhook: ${error.message}`)
    throw error instanceof UnusableClient ? new CallFailure(error.message) : error
  }
}
