/** `--authentication-token-webhook-config-file`: another server is asked whose a token is (public documentation, "Webhook Token Authentication"). */
import { isJsonObject, type Json, type JsonObject } from '../object'
import { builtinModel } from '../schema/builtin'
import type { StructType } from '../schema/model'
import { statusIn } from '../webhooks/answers'
import { type CallEnvironment, callWebhook } from '../webhooks/call'
import { ExpiringCache } from '../webhooks/expiring-cache'
import type { Endpoint } from '../webhooks/kubeconfig'
import type { Authentication, UserInfo } from './authenticator'
import type { TokenAuthenticator } from './bearer-token'

export interface TokenWebhook {
  endpoint: Endpoint
  version: 'v1' | 'v1beta1'
  /** Milliseconds that an answer is kept; 0: none is. */
  cacheTTL: number
}

const TIMEOUT_MILLISECONDS = 30_000
const CACHE_SIZE = 4096

/** Versions before have the same status. */
const reviewType = (): StructType =>
  builtinModel().byName('io.k8s.api.authentication.v1.TokenReview') as StructType

/** @param server the server's own audiences: those of a webhook that names none */
export function tokenWebhook(
  webhook: TokenWebhook,
  server: readonly string[],
  environment: CallEnvironment,
): TokenAuthenticator {
  const { endpoint, version, cacheTTL } = webhook
  const apiVersion = `authentication.k8s.io/${version}`
  const answers = new ExpiringCache<{ outcome: Authentication }>(CACHE_SIZE, environment.clock)

  async function ask(token: string, audiences: readonly string[]): Promise<Authentication> {
    const review = {
      kind: 'TokenReview',
      apiVersion,
      metadata: { creationTimestamp: null },
      spec: { token, audiences },
    }
    const body = JSON.stringify({ ...review, status: { user: {} } })
    const call = { endpoint, timeout: TIMEOUT_MILLISECONDS, body }
    const status = await callWebhook(call, environment, (code, answer) =>
      statusIn({ ...review, type: reviewType() }, code, answer),
    )
    const outcome = outcomeOf(status, audiences, server)
    if (outcome === undefined || 'user' in outcome)
      answers.put(keyOf(token, audiences), { outcome }, cacheTTL)
    return outcome
  }

  return {
    authenticate(token, { audiences }) {
      const known = answers.get(keyOf(token, audiences))
      if (known) return known.outcome
      return ask(token, audiences).catch((error: unknown) => ({
        refused: [error instanceof Error ? error.message : String(error)],
      }))
    },
  }
}

const keyOf = (token: string, audiences: readonly string[]): string =>
  [token, ...audiences].join('\n')

/** An answer for other audiences than those asked for is none. */
function outcomeOf(
  status: JsonObject,
  asked: readonly string[],
  server: readonly string[],
): Authentication {
  const named = textsIn(status.audiences)
  const audiences = asked.filter((audience) =>
    (named.length > 0 ? named : server).includes(audience),
  )
  if (audiences.length === 0) return undefined
  if (status.authenticated !== true)
    return typeof status.error === 'string' && status.error
      ? { refused: [status.error] }
      : undefined
  return { user: userIn(isJsonObject(status.user) ? status.user : {}), audiences }
}

function userIn({ username, uid, groups, extra }: JsonObject): UserInfo {
  const said = isJsonObject(extra)
    ? Object.entries(extra).map(([key, values]) => [key, textsIn(values)] as const)
    : []
  return {
    name: typeof username === 'string' ? username : '',
    ...(typeof uid === 'string' && uid ? { uid } : {}),
    groups: textsIn(groups),
    ...(said.length > 0 ? { extra: Object.fromEntries(said) } : {}),
  }
}

const textsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
