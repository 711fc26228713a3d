/**
 * kubernetes.io, "Webhook Mode". After retries with backoff the failure policy decides. Recorded
 * from kube-apiserver 1.31.
 */
import type { Clock, Random } from '../../core/environment'
import type { JsonObject } from '../../core/object'
import type { Outbound } from '../../core/outbound'
import { callWebhook, TimeoutError } from '../../webhooks/call'
import { ExpiringCache } from '../../webhooks/expiring-cache'
import type { Endpoint } from '../../webhooks/kubeconfig'
import { type Attributes, type Authorizer, unlisted, type Verdict } from '../authorizer'
import type { AuthorizationMetrics, CallResult } from '../metrics'
import { type ReviewStatus, type ReviewVersion, readReview, reviewBody, reviewSpec } from './review'

export interface WebhookSettings {
  /** In metrics. */
  name: string
  endpoint: Endpoint
  version: ReviewVersion
  /** Times in milliseconds. */
  authorizedTTL: number
  unauthorizedTTL: number
  timeout: number
  failurePolicy: 'NoOpinion' | 'Deny'
  conditions?: MatchConditions
}

export interface MatchConditions {
  /** @param spec of a SubjectAccessReview v1 */
  matches(spec: JsonObject): boolean | { error: string }
}

export interface WebhookEnvironment {
  clock: Clock
  random: Random
  outbound?: Outbound | undefined
  metrics: AuthorizationMetrics
}

const CACHE_SIZE = 8192
/** Characters; clients can choose any names. */
const MAX_CACHED_TEXT = 10_000

export function webhookAuthorizer(
  settings: WebhookSettings,
  environment: WebhookEnvironment,
): Authorizer {
  const { clock, metrics } = environment
  const cache = new ExpiringCache<ReviewStatus>(CACHE_SIZE, clock)
  const failed = (error: string): Verdict => ({
    decision: settings.failurePolicy === 'Deny' ? 'deny' : 'noOpinion',
    reason: '',
    error,
  })

  function authorize(attributes: Attributes): Verdict | Promise<Verdict> {
    const spec = reviewSpec(attributes)
    const excluded = exclusion(settings, spec, metrics, clock)
    if (excluded !== undefined) return typeof excluded === 'string' ? failed(excluded) : NO_OPINION
    const key = JSON.stringify(spec)
    const known = cache.get(key)
    if (known !== undefined) return verdictOf(known)
    return call(settings, environment, spec).then(
      (status) => {
        if (sizeOf(attributes) < MAX_CACHED_TEXT)
          cache.put(key, status, status.allowed ? settings.authorizedTTL : settings.unauthorizedTTL)
        return verdictOf(status)
      },
      (error: unknown) => failed(error instanceof Error ? error.message : String(error)),
    )
  }

  return {
    authorize,
    rules: async () => unlisted('webhook authorizer does not support user rule resolution'),
  }
}

const NO_OPINION: Verdict = { decision: 'noOpinion', reason: '' }

/** @returns true to skip the call, undefined to make it, a string if the conditions failed */
function exclusion(
  settings: WebhookSettings,
  spec: JsonObject,
  metrics: AuthorizationMetrics,
  clock: Clock,
): true | string | undefined {
  if (settings.conditions === undefined) return undefined
  const begun = clock.now()
  const matches = settings.conditions.matches(spec)
  metrics.conditionsEvaluated(settings.name, (clock.now() - begun) / 1000)
  if (matches === true) return undefined
  if (matches === false) {
    metrics.conditionsExcluded(settings.name)
    return true
  }
  metrics.conditionsFailed(settings.name)
  return matches.error
}

function verdictOf({ allowed, denied, reason }: ReviewStatus): Verdict {
  if (denied && allowed)
    return {
      decision: 'deny',
      reason,
      error: 'webhook subject access review returned both allow and deny response',
    }
  return { decision: denied ? 'deny' : allowed ? 'allow' : 'noOpinion', reason }
}

const sizeOf = ({
  namespace,
  verb,
  group,
  version,
  resource,
  subresource,
  name,
  path,
}: Attributes): number =>
  [namespace, verb, group, version, resource, subresource, name, path].reduce(
    (sum, text) => sum + text.length,
    0,
  )

/** @throws Error of the last attempt */
async function call(
  settings: WebhookSettings,
  environment: WebhookEnvironment,
  spec: JsonObject,
): Promise<ReviewStatus> {
  const { clock, metrics } = environment
  const { endpoint, timeout, version } = settings
  const begun = clock.now()
  const finish = (result: CallResult) =>
    metrics.webhookCalled(
      settings.name,
      result,
      (clock.now() - begun) / 1000,
      result !== 'success' && settings.failurePolicy === 'NoOpinion',
    )
  try {
    const question = { endpoint, timeout, body: reviewBody(version, spec) }
    const status = await callWebhook(question, environment, (code, body) =>
      readReview(version, code, body),
    )
    finish('success')
    return status
  } catch (error) {
    finish(error instanceof TimeoutError ? 'timeout' : 'error')
    throw error
  }
}
