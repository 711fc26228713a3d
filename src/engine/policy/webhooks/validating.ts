/** ValidatingAdmissionWebhook: every webhook that the request concerns is asked at once; each may refuse. */

import type { AdmissionAttributes, AdmissionPlugin } from '../../admission/admission'
import { API_DOMAIN } from '../../names'
import { entryOf, setMember } from '../../object'
import { qualifiedNameProblems } from '../../registry/rules/names'
import type { PolicyEnvironment, ServedForm } from '../environment'
import { CallFailure } from './answer'
import { callWebhook } from './call'
import { type Hook, hooksOf, isExempt } from './hooks'
import { invocationOf } from './invocation'
import { observed } from './observed'
import { callFailed, checkSideEffects, rejected } from './rejection'

export function validatingAdmissionWebhook(environment: PolicyEnvironment): AdmissionPlugin {
  const live = hooksOf(environment, 'validatingwebhookconfigurations')
  const judge = async (
    attributes: AdmissionAttributes,
    configurations: readonly (readonly Hook[])[],
  ) => {
    if (isExempt(attributes)) return
    const concerned: { hook: Hook; form: ServedForm }[] = []
    for (const hook of configurations.flat()) {
      const form = await invocationOf(hook, attributes, environment, 'validating')
      if (form !== undefined) concerned.push({ hook, form })
    }
    const refusals = await Promise.allSettled(
      concerned.map(({ hook, form }, index) => ask(environment, hook, attributes, form, index)),
    )
    // All are heard; the first of those that refuse is told.
    for (const refusal of refusals) if (refusal.status === 'rejected') throw refusal.reason
  }
  return {
    name: 'ValidatingAdmissionWebhook',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    validate(attributes) {
      const configurations = live.all()
      if (!Array.isArray(configurations))
        return Promise.resolve(configurations).then((all) => judge(attributes, all))
      return configurations.length === 0 ? undefined : judge(attributes, configurations)
    },
  }
}

/** @throws ApiError of the webhook, or 500 if the call fails and the policy is Fail */
async function ask(
  environment: PolicyEnvironment,
  { webhook }: Hook,
  attributes: AdmissionAttributes,
  form: ServedForm,
  index: number,
): Promise<void> {
  const name = webhook.name ?? ''
  const judge = async () => {
    if (attributes.dryRun) checkSideEffects(webhook)
    const verdict = await callWebhook(
      environment,
      webhook,
      attributes,
      form,
      environment.requested(attributes),
      false,
    )
    noteAnswer(attributes, name, verdict)
    if (!verdict.allowed) throw rejected(name, verdict)
  }
  try {
    await observed(environment, webhook, 'validating', attributes, judge)
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    if (webhook.failurePolicy !== 'Ignore') throw callFailed(name, error.message)
    annotate(
      attributes,
      `failed-open.validating.webhook.admission.${API_DOMAIN}/round_0_index_${index}`,
      name,
    )
  }
}

/** The first who writes an annotation is heard, if it has a proper name. */
export function annotate({ trace }: AdmissionAttributes, key: string, value: string): void {
  const isName = key.split('/').length === 2 && qualifiedNameProblems(key).length === 0
  if (isName && entryOf(trace.annotations, key) === undefined)
    setMember(trace.annotations, key, value)
}

/** What a webhook says besides its verdict. */
export function noteAnswer(
  attributes: AdmissionAttributes,
  name: string,
  { auditAnnotations, warnings }: { auditAnnotations: Record<string, string>; warnings: string[] },
): void {
  for (const [key, value] of Object.entries(auditAnnotations))
    annotate(attributes, `${name}/${key}`, value)
  for (const warning of warnings) attributes.warn(warning)
}
