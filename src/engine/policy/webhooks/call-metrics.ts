/** Counts calls of admission webhooks. kubernetes.io, "Kubernetes Metrics Reference". */
import type { AdmissionAttributes } from '../../admission/admission'
import type { CalledHook, RejectionCause } from '../../webhooks/metrics'
import type { PolicyEnvironment } from '../environment'
import type { Webhook } from '../objects'
import { CallFailure } from './admission-response'
import { WebhookDenial } from './rejection'

const SUCCESS = 200

export async function withWebhookMetrics<Result>(
  { metrics, stopwatch }: PolicyEnvironment,
  { name = '', failurePolicy }: Webhook,
  type: CalledHook['type'],
  { operation, trace }: AdmissionAttributes,
  run: () => Promise<Result>,
): Promise<Result> {
  const hook = { name, type, operation }
  const started = stopwatch()
  const recordCall = (code: number, rejection: RejectionCause | undefined) => {
    const took = stopwatch() - started
    const waits = trace.waiting()
    if (type === 'admit') waits.mutatingWebhooks += took
    else waits.validatingWebhooks = Math.max(waits.validatingWebhooks, took)
    metrics.webhookCalled(hook, took / 1000, code, rejection)
  }
  try {
    const result = await run()
    recordCall(SUCCESS, undefined)
    return result
  } catch (error) {
    if (error instanceof CallFailure) {
      const opens = failurePolicy === 'Ignore'
      recordCall(error.code, opens ? undefined : 'calling_webhook_error')
      if (opens) metrics.webhookFailedOpen(hook)
    } else if (error instanceof WebhookDenial) recordCall(error.code, 'no_error')
    else recordCall(0, 'apiserver_internal_error')
    throw error
  }
}
