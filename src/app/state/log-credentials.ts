/**
 * Removes credentials from the request log and audit events: values of Secrets, issued and reviewed
 * tokens, and credential headers.
 */
import { ANNOTATION, CERTIFICATE_HEADER } from '../../engine/core/names'
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../engine/core/object'
import type { AuditEvent } from '../../hosts/shared/channel'
import { targetOf } from './request-target'

export const HIDDEN = '••••••'

const CREDENTIAL_HEADERS = ['authorization', 'proxy-authorization', 'cookie', CERTIFICATE_HEADER]

/** Keeps the scheme of a bearer token. */
export function headersWithoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!CREDENTIAL_HEADERS.includes(name.toLowerCase())) return [name, value]
      const [, scheme = ''] = /^([A-Za-z]+ )/.exec(value) ?? []
      return [name, scheme + HIDDEN]
    }),
  )
}

/** Members with credentials, by resource. */
const MEMBERS: Record<string, readonly string[] | undefined> = {
  secrets: ['data', 'stringData', ANNOTATION.lastApplied],
  'serviceaccounts/token': ['token'],
  tokenreviews: ['token'],
}

/** @returns the text with `HIDDEN` for each credential; only `HIDDEN` if it cannot be parsed */
export function bodyWithoutCredentials(path: string, text: string): string {
  const target = targetOf(path)
  const members =
    target &&
    entryOf(MEMBERS, target.subresource === 'token' ? `${target.resource}/token` : target.resource)
  if (members === undefined || text === '') return text
  try {
    return JSON.stringify(cleared(JSON.parse(text) as Json, members))
  } catch {
    return HIDDEN
  }
}

/** An audit policy can log bodies of requests for Secrets. */
export function eventWithoutCredentials(event: AuditEvent): AuditEvent {
  const { resource, subresource } = isJsonObject(event.objectRef) ? event.objectRef : {}
  const members = entryOf(MEMBERS, subresource === 'token' ? `${resource}/token` : String(resource))
  if (members === undefined) return event
  const bodies = ['requestObject', 'responseObject'].flatMap((name) => {
    const body = event[name]
    return body === undefined ? [] : [[name, cleared(body, members)] as const]
  })
  return { ...event, ...Object.fromEntries(bodies) }
}

function cleared(value: Json, hidden: readonly string[]): Json {
  if (Array.isArray(value))
    return value.map((one) => (isOperation(one) ? { ...one, value: HIDDEN } : cleared(one, hidden)))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      hidden.includes(name) ? blotted(member) : cleared(member, hidden),
    ]),
  )
}

/** A JSON patch operation, which can set any field. */
const isOperation = (value: Json): value is JsonObject =>
  isJsonObject(value) && 'op' in value && 'value' in value

function blotted(value: Json): Json {
  if (Array.isArray(value)) return value.map(blotted)
  if (!isJsonObject(value)) return value === null ? null : HIDDEN
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, blotted(member)]))
}
