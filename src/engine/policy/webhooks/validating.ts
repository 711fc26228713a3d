/** All matching webhooks in parallel. */

import type { AdmissionAttributes, AdmissionPlugin } from '../../admission/admission'
import { API_DOMAIN } from '../../core/names'
import { entryOf, setMember } from '../../core/object'
import { qualifiedNameProblems } from '../../validation/names'
import type { PolicyEnvironment, ServedForm } from '../environment'
import { CallFailure } from './admission-response'
import { callWebhook } from './call'
import { withWebhookMetrics } from './call-metrics'
import { withCredentials } from './credentials'
import { type Hook, hooksOf, isExempt } from './hooks'
import { invocationOf } from './invocation'
import { callFailed, checkSideEffects, rejected } from './rejection'

const NAME = 'ValidatingAdmissionWebhook'
const RESOURCE = 'validatingwebhookconfigurations'

export function validatingAdmissionWebhook(given: PolicyEnvironment): AdmissionPlugin {
  const environment = withCredentials(given, NAME)
  const live = hooksOf(environment, RESOURCE)
  const callAll = async (
    attributes: AdmissionAttributes,
    configurations: readonly (readonly Hook[])[],
  ) => {
    if (isExempt(attributes)) return
    const concerned: { hook: Hook; form: ServedForm }[] = []
    for (const hook of configurations.flat()) {
      const form = await invocationOf(hook, attributes, environment, 'validating')
      if (form !== undefined) concerned.push({ hook, form })
    }
    const outcomes = await Promise.allSettled(
      concerned.map(({ hook, form }, index) =>
        callHook(environment, hook, attributes, form, index),
      ),
    )
    // The first denial in order is returned.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
  return {
    name: NAME,
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    validate(attributes) {
      const configurations = live.all()
      if (!Array.isArray(configurations))
        return Promise.resolve(configurations).then((all) => callAll(attributes, all))
      return configurations.length === 0 ? undefined : callAll(attributes, configurations)
    },
  }
}

/** @throws ApiError of the webhook; 500 if the policy is Fail */
async function callHook(
  environment: PolicyEnvironment,
  hook: Hook,
  attributes: AdmissionAttributes,
  form: ServedForm,
  index: number,
): Promise<void> {
  const { webhook } = hook
  const name = webhook.name ?? ''
  const invoke = async () => {
    if (attributes.dryRun) checkSideEffects(webhook)
    const verdict = await callWebhook(
      environment,
      webhook,
      attributes,
      form,
      environment.requested(attributes),
      false,
    )
    recordResponse(attributes, name, verdict)
    if (!verdict.allowed) throw rejected(hook, RESOURCE, verdict)
  }
  try {
    await withWebhookMetrics(environment, webhook, 'validating', attributes, invoke)
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    if (webhook.failurePolicy !== 'Ignore') throw callFailed(hook, RESOURCE, error.message)
    annotate(
      attributes,
      `failed-open.validating.webhook.admission.${API_DOMAIN}/round_0_index_${index}`,
      name,
    )
  }
}

/** The first value wins; invalid keys are ignored. */
export function annotate({ trace }: AdmissionAttributes, key: string, value: string): void {
  const isName = key.split('/').length === 2 && qualifiedNameProblems(key).length === 0
  if (isName && entryOf(trace.annotations, key) === undefined)
    setMember(trace.annotations, key, value)
}

export function recordResponse(
  attributes: AdmissionAttributes,
  name: string,
  { auditAnnotations, warnings }: { auditAnnotations: Record<string, string>; warnings: string[] },
): void {
  for (const [key, value] of Object.entries(auditAnnotations))
    annotate(attributes, `${name}/${key}`, value)
  for (const warning of warnings) attributes.warn(warning)
}
