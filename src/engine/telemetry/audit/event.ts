/** audit.k8s.io/v1, in the order of the type. */
import type { UserInfo } from '../../authentication/authenticator'
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { escapeHtml } from '../../schema/canonical'
import type { Decision, Trace } from '../trace'
import { withoutToken } from './credentials'
import type { AuditStage, RequestAuditConfig } from './policy'

export interface AuditEvent extends JsonObject {
  kind: 'Event'
  apiVersion: 'audit.k8s.io/v1'
  level: string
  auditID: string
  stage: string
  requestURI: string
  verb: string
}

export interface SentObject {
  name: string | undefined
  namespace: string | undefined
  uid: string | undefined
  resourceVersion: string | undefined
  /** If the level includes the request. */
  whole: Json | undefined
}

export interface EventContents {
  sources: string[]
  sent?: SentObject | undefined
  request?: Json | undefined
  response?: Json | undefined
}

/** @param now milliseconds since the epoch */
export function auditEvent(
  trace: Trace,
  ruling: RequestAuditConfig,
  stage: AuditStage,
  now: number,
  contents: EventContents,
): AuditEvent {
  const { attributes, user, impersonated, authorization } = trace
  const annotations = {
    ...trace.annotations,
    ...(withRequest(ruling) ? trace.bodyAnnotations : {}),
    // An impersonation check is not the decision about the request.
    ...(authorization && authorization.of === undefined ? ofDecision(authorization) : {}),
  }
  const begun = stage !== 'RequestReceived'
  const clean = (value: Json | undefined) => {
    const shown = value === undefined ? undefined : withoutToken(attributes, value)
    return ruling.omitManagedFields && shown !== undefined ? withoutManagedFields(shown) : shown
  }
  const requestObject = begun && withRequest(ruling) ? clean(contents.request) : undefined
  const responseObject =
    begun && ruling.level === 'RequestResponse' ? clean(contents.response) : undefined
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: ruling.level,
    auditID: trace.id,
    stage,
    requestURI: trace.target,
    verb: attributes?.verb ?? '',
    user: userOf(user),
    ...(begun && impersonated ? { impersonatedUser: userOf(impersonated) } : {}),
    sourceIPs: contents.sources,
    ...(trace.userAgent === '' ? {} : { userAgent: bounded(trace.userAgent) }),
    ...(attributes?.isResource
      ? { objectRef: objectRef(trace, begun ? contents.sent : undefined) }
      : {}),
    ...(begun ? { responseStatus: responseStatus(trace, contents.response) } : {}),
    ...(requestObject === undefined ? {} : { requestObject }),
    ...(responseObject === undefined ? {} : { responseObject }),
    requestReceivedTimestamp: microTime(trace.received),
    stageTimestamp: microTime(now),
    ...(begun && Object.keys(annotations).length > 0 ? { annotations: sorted(annotations) } : {}),
  }
}

/** As Go's encoding/json. */
export const auditLine = (event: AuditEvent): string => `${escapeHtml(JSON.stringify(event))}\n`

export const withRequest = ({ level }: RequestAuditConfig): boolean =>
  level === 'Request' || level === 'RequestResponse'

function userOf(user: UserInfo | undefined): JsonObject {
  if (user === undefined) return {}
  const { name, uid, groups, extra } = user
  return { username: name, ...(uid ? { uid } : {}), groups, ...(extra ? { extra } : {}) }
}

/** The body completes the path, except for a generated name (kubernetes.io, "Auditing"). */
function objectRef({ attributes }: Trace, sent: SentObject | undefined): JsonObject {
  if (attributes === undefined) return {}
  const { group, version, resource, subresource } = attributes
  const reference: Record<string, string | undefined> = {
    resource,
    namespace: attributes.namespace || sent?.namespace,
    name: attributes.name || sent?.name,
    uid: sent?.uid,
    apiGroup: group,
    apiVersion: version,
    resourceVersion: sent?.resourceVersion,
    subresource,
  }
  return Object.fromEntries(
    Object.entries(reference).filter((entry): entry is [string, string] => !!entry[1]),
  )
}

function responseStatus({ status }: Trace, response: Json | undefined): JsonObject {
  if (!isJsonObject(response) || response.kind !== 'Status') return { metadata: {}, code: status }
  const { message, reason, details } = response
  return {
    metadata: {},
    ...(response.status === undefined ? {} : { status: response.status }),
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code: status,
  }
}

function withoutManagedFields(value: Json): Json {
  if (!isJsonObject(value)) return value
  const metadata = isJsonObject(value.metadata)
    ? without(value.metadata, 'managedFields')
    : value.metadata
  const items = Array.isArray(value.items) ? value.items.map(withoutManagedFields) : value.items
  return {
    ...value,
    ...(metadata === undefined ? {} : { metadata }),
    ...(items === undefined ? {} : { items }),
  }
}

function without({ ...members }: JsonObject, name: string): JsonObject {
  delete members[name]
  return members
}

const LONGEST_AGENT = 1024

const bounded = (agent: string): string =>
  agent.length > LONGEST_AGENT ? `${agent.slice(0, LONGEST_AGENT)}...TRUNCATED` : agent

/** `2026-01-01T00:00:00.000000Z` */
const microTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('Z', '000Z')

const sorted = (labels: Record<string, string>): JsonObject =>
  Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))

/**
 * After an error only the reason is annotated (k8s.io/apiserver, package pkg/endpoints/filters,
 * WithAuthorization).
 */
function ofDecision({ decision, reason, error }: Decision): Record<string, string> {
  if (error !== undefined && decision === 'forbid')
    return { 'authorization.k8s.io/reason': 'internal error' }
  return { 'authorization.k8s.io/decision': decision, 'authorization.k8s.io/reason': reason }
}
