/**
 * What the log of requests never holds, and what is not shown of audit events: whatever lets somebody in. Values of Secrets (private keys and bootstrap tokens are kept in
 * them), tokens that the server gives or is asked about, and the headers that carry a credential.
 */
import { ANNOTATION, CERTIFICATE_HEADER } from '../../engine/names'
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../engine/object'
import type { AuditEvent } from '../../hosts/shared/channel'
import { targetOf } from '../kubectl/equivalents'

/** Stands for a credential wherever one would be shown. */
export const HIDDEN = '••••••'

const CREDENTIAL_HEADERS = ['authorization', 'proxy-authorization', 'cookie', CERTIFICATE_HEADER]

/** The headers as the log shows them. A bearer token keeps its scheme: that there was one is worth knowing. */
export function headersWithoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!CREDENTIAL_HEADERS.includes(name.toLowerCase())) return [name, value]
      const [, scheme = ''] = /^([A-Za-z]+ )/.exec(value) ?? []
      return [name, scheme + HIDDEN]
    }),
  )
}

/** Members whose values are credentials, by what the request is about. */
const MEMBERS: Record<string, readonly string[] | undefined> = {
  secrets: ['data', 'stringData', ANNOTATION.lastApplied],
  'serviceaccounts/token': ['token'],
  tokenreviews: ['token'],
}

/**
 * @param path of the request, `text` its body or its answer's
 * @returns the text with `HIDDEN` for each credential; all of it hidden where it cannot be read
 */
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

/**
 * An audit event as the page shows it: a policy may ask for the bodies of requests that are about Secrets.
 * @returns the same event where there is nothing to hide
 */
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

/** Of a JSON patch: it may set anything, under any name. */
const isOperation = (value: Json): value is JsonObject =>
  isJsonObject(value) && 'op' in value && 'value' in value

function blotted(value: Json): Json {
  if (Array.isArray(value)) return value.map(blotted)
  if (!isJsonObject(value)) return value === null ? null : HIDDEN
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, blotted(member)]))
}
