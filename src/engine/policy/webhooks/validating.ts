/** ValidatingAdmissionWebhook: every webhook that the request concerns is asked at once; each may refuse. */
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission/admission'
import type { PolicyEnvironment, ServedForm } from '../environment'
import { CallFailure } from './answer'
import { callWebhook } from './call'
import { type Hook, hooksOf, isExempt } from './hooks'
import { invocationOf } from './invocation'
import { callFailed, checkSideEffects, rejected } from './rejection'

export function validatingAdmissionWebhook(environment: PolicyEnvironment): AdmissionPlugin {
  const live = hooksOf(environment.storage, 'validatingwebhookconfigurations')
  const judge = async (attributes: AdmissionAttributes, configurations: readonly (readonly Hook[])[]) => {
    if (isExempt(attributes)) return
    const concerned: { hook: Hook; form: ServedForm }[] = []
    for (const hook of configurations.flat()) {
      const form = await invocationOf(hook, attributes, environment)
      if (form !== undefined) concerned.push({ hook, form })
    }
    const refusals = await Promise.allSettled(concerned.map(({ hook, form }) => ask(environment, hook, attributes, form)))
    // All are heard; the first of those that refuse is told.
    for (const refusal of refusals) if (refusal.status === 'rejected') throw refusal.reason
  }
  return {
    name: 'ValidatingAdmissionWebhook',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    validate(attributes) {
      const configurations = live.all()
      if (!Array.isArray(configurations)) return Promise.resolve(configurations).then((all) => judge(attributes, all))
      return configurations.length === 0 ? undefined : judge(attributes, configurations)
    },
  }
}

/** @throws ApiError of the webhook, or 500 if the call fails and the policy is Fail */
async function ask(environment: PolicyEnvironment, { webhook }: Hook, attributes: AdmissionAttributes, form: ServedForm): Promise<void> {
  const name = webhook.name ?? ''
  if (attributes.dryRun) checkSideEffects(webhook)
  try {
    const verdict = await callWebhook(environment, webhook, attributes, form, environment.requested(attributes), false)
    noteAnswer(attributes, name, verdict)
    if (!verdict.allowed) throw rejected(name, verdict)
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    if (webhook.failurePolicy !== 'Ignore') throw callFailed(name, error.message)
  }
}

/** What a webhook says besides its verdict. An annotation that is there already stays. */
export function noteAnswer(
  { trace, warn }: AdmissionAttributes,
  name: string,
  { auditAnnotations, warnings }: { auditAnnotations: Record<string, string>; warnings: string[] },
): void {
  for (const [key, value] of Object.entries(auditAnnotations)) trace.annotations[`${name}/${key}`] ??= value
  for (const warning of warnings) warn(warning)
}
