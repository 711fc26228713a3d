/** Calls of webhooks as the metrics see them (public documentation, "Admission webhook good practices" and the metrics reference). */
import type { AdmissionAttributes } from '../../admission/admission'
import type { CalledHook, RejectionCause } from '../../webhooks/metrics'
import type { PolicyEnvironment } from '../environment'
import type { Webhook } from '../objects'
import { CallFailure } from './answer'
import { WebhookRefusal } from './rejection'

const SUCCESS = 200

/** Asks a webhook and writes down how long it took, and what became of it. @throws what `run` throws */
export async function observed<Result>(
  { metrics, stopwatch }: PolicyEnvironment,
  { name = '', failurePolicy }: Webhook,
  type: CalledHook['type'],
  { operation, trace }: AdmissionAttributes,
  run: () => Promise<Result>,
): Promise<Result> {
  const hook = { name, type, operation }
  const started = stopwatch()
  const told = (code: number, rejection: RejectionCause | undefined) => {
    const took = stopwatch() - started
    const waits = trace.waiting()
    if (type === 'admit') waits.mutatingWebhooks += took
    else waits.validatingWebhooks = Math.max(waits.validatingWebhooks, took)
    metrics.webhookCalled(hook, took / 1000, code, rejection)
  }
  try {
    const result = await run()
    told(SUCCESS, undefined)
    return result
  } catch (error) {
    if (error instanceof CallFailure) {
      const opens = failurePolicy === 'Ignore'
      told(error.code, opens ? undefined : 'calling_webhook_error')
      if (opens) metrics.webhookFailedOpen(hook)
    } else if (error instanceof WebhookRefusal) told(error.code, 'no_error')
    else told(0, 'apiserver_internal_error')
    throw error
  }
}
