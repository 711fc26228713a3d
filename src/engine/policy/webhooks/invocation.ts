/** kubernetes.io, "Matching requests". Recordings: policy-webhookcfg, policy-webhooks. */
import type { AdmissionAttributes } from '../../admission/admission'
import { forbidden } from '../../http/status'
import type { CalledHook } from '../../webhooks/metrics'
import type { PolicyEnvironment, ServedForm } from '../environment'
import { matches } from '../match'
import { outcomeLabel, webhookConditionsOutcome } from '../match-conditions'
import type { Hook } from './hooks'

/**
 * @returns undefined if the webhook does not match
 * @throws ApiError 403 if a condition fails
 */
export async function invocationOf(
  { criteria, conditions, webhook }: Hook,
  attributes: AdmissionAttributes,
  environment: PolicyEnvironment,
  type: CalledHook['type'],
): Promise<ServedForm | undefined> {
  const form = await matches(criteria, attributes, environment)
  await form?.ready?.(attributes)
  if (form === undefined || conditions.length === 0) return form
  const { metrics, stopwatch } = environment
  const started = stopwatch()
  const outcome = await webhookConditionsOutcome(
    conditions,
    { attributes, form, environment },
    webhook.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
  )
  const of = {
    kind: 'webhook',
    name: webhook.name ?? '',
    type,
    operation: attributes.operation,
  } as const
  metrics.conditionsEvaluated(of, (stopwatch() - started) / 1000, outcomeLabel(outcome))
  if (outcome === 'skipped') return undefined
  if (outcome === 'met') return form
  const { group, resource, name } = attributes
  throw forbidden({ group, resource }, name, outcome.error)
}
