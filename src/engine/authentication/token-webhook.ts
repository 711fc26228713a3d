/** Authenticates bearer tokens by a webhook. kubernetes.io, "Webhook Token Authentication". */
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { builtinModel } from '../schema/builtin'
import type { StructType } from '../schema/model'
import { type CallEnvironment, callWebhook } from '../webhooks/call'
import { ExpiringCache } from '../webhooks/expiring-cache'
import type { Endpoint } from '../webhooks/kubeconfig'
import { statusIn } from '../webhooks/review-status'
import type { Authentication, UserInfo } from './authenticator'
import type { TokenAuthenticator } from './bearer-token'

export interface TokenWebhook {
  endpoint: Endpoint
  version: 'v1' | 'v1beta1'
  /** Milliseconds; 0 disables the cache. */
  cacheTTL: number
}

const TIMEOUT_MILLISECONDS = 30_000
const CACHE_SIZE = 4096

/** Earlier versions have the same status. */
const reviewType = (): StructType =>
  builtinModel().byName('io.k8s.api.authentication.v1.TokenReview') as StructType

/** @param server audiences if the webhook returns none */
export function tokenWebhook(
  webhook: TokenWebhook,
  server: readonly string[],
  environment: CallEnvironment,
): TokenAuthenticator {
  const { endpoint, version, cacheTTL } = webhook
  const apiVersion = `authentication.k8s.io/${version}`
  const cache = new ExpiringCache<{ outcome: Authentication }>(CACHE_SIZE, environment.clock)

  async function reviewToken(token: string, audiences: readonly string[]): Promise<Authentication> {
    const review = {
      kind: 'TokenReview',
      apiVersion,
      metadata: { creationTimestamp: null },
      spec: { token, audiences },
    }
    const body = JSON.stringify({ ...review, status: { user: {} } })
    const call = { endpoint, timeout: TIMEOUT_MILLISECONDS, body }
    const status = await callWebhook(call, environment, (code, responseBody) =>
      statusIn({ ...review, type: reviewType() }, code, responseBody),
    )
    const outcome = outcomeOf(status, audiences, server)
    if (outcome === undefined || 'user' in outcome)
      cache.put(keyOf(token, audiences), { outcome }, cacheTTL)
    return outcome
  }

  return {
    authenticate(token, { audiences }) {
      const known = cache.get(keyOf(token, audiences))
      if (known) return known.outcome
      return reviewToken(token, audiences).catch((error: unknown) => ({
        errors: [error instanceof Error ? error.message : String(error)],
      }))
    },
  }
}

const keyOf = (token: string, audiences: readonly string[]): string =>
  [token, ...audiences].join('\n')

/** A review for none of the requested audiences has no user. */
function outcomeOf(
  status: JsonObject,
  requested: readonly string[],
  server: readonly string[],
): Authentication {
  const named = textsIn(status.audiences)
  const audiences = requested.filter((audience) =>
    (named.length > 0 ? named : server).includes(audience),
  )
  if (audiences.length === 0) return undefined
  if (status.authenticated !== true)
    return typeof status.error === 'string' && status.error ? { errors: [status.error] } : undefined
  return { user: userIn(isJsonObject(status.user) ? status.user : {}), audiences }
}

function userIn({ username, uid, groups, extra }: JsonObject): UserInfo {
  const extraEntries = isJsonObject(extra)
    ? Object.entries(extra).map(([key, values]) => [key, textsIn(values)] as const)
    : []
  return {
    name: typeof username === 'string' ? username : '',
    ...(typeof uid === 'string' && uid ? { uid } : {}),
    groups: textsIn(groups),
    ...(extraEntries.length > 0 ? { extra: Object.fromEntries(extraEntries) } : {}),
  }
}

const textsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
