/** Tokens in bodies: what lets somebody in is written down nowhere, whatever the policy says. */
import { isJsonObject, type Json, type JsonObject } from '../../object'
import type { Asked } from '../trace'

const REDACTED = 'REDACTED'

/** Where bodies carry a token, by `resource.group/subresource`. */
const TOKENS: Record<string, 'spec' | 'status'> = {
  'serviceaccounts./token': 'status',
  'tokenreviews.authentication.k8s.io/': 'spec',
}

/** The body with its token blotted out; the same body where there is none. */
export function withoutToken(asked: Asked | undefined, body: Json): Json {
  const member = asked && TOKENS[`${asked.resource}.${asked.group}/${asked.subresource}`]
  const holder = member && isJsonObject(body) ? body[member] : undefined
  if (member === undefined || !isJsonObject(holder) || !holder.token) return body
  return { ...(body as JsonObject), [member]: { ...holder, token: REDACTED } }
}

/** A path with its query as it may be shown: tokens are no part of an address, but people put them there. */
export const withoutQueryToken = (target: string): string =>
  target.includes('access_token=')
    ? target.replace(/([?&]access_token=)[^&]*/g, `$1${REDACTED}`)
    : target
