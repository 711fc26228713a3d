/** Credentials are never logged. */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { RequestAttributes } from '../trace'

const REDACTED = 'REDACTED'

/** By `resource.group/subresource`. */
const TOKENS: Record<string, 'spec' | 'status'> = {
  'serviceaccounts./token': 'status',
  'tokenreviews.authentication.k8s.io/': 'spec',
}

/** The same body without tokens. */
export function withoutToken(attributes: RequestAttributes | undefined, body: Json): Json {
  const member =
    attributes && TOKENS[`${attributes.resource}.${attributes.group}/${attributes.subresource}`]
  const holder = member && isJsonObject(body) ? body[member] : undefined
  if (member === undefined || !isJsonObject(holder) || !holder.token) return body
  return { ...(body as JsonObject), [member]: { ...holder, token: REDACTED } }
}

/** Some clients put tokens into a query. */
export const withoutQueryToken = (target: string): string =>
  target.includes('access_token=')
    ? target.replace(/([?&]access_token=)[^&]*/g, `$1${REDACTED}`)
    : target
