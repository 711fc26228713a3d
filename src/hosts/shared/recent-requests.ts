import type { JsonObject } from '../../engine/core/object'
import type { ApiServer } from '../../engine/server/server'
import type { AuditEvent } from '../../engine/telemetry/audit/event'
import {
  type AuditPolicy,
  auditPolicyOf,
  auditPolicyText,
  parseAuditPolicy,
} from '../../engine/telemetry/audit/policy'
import type { RequestAttributes, Trace } from '../../engine/telemetry/trace'
import type { ClientWrite, RequestTrace } from './channel'
import { LastItems } from './last-items'

const MOST_TRACES = 300
const MOST_EVENTS = 1000
const MOST_WRITES = 300

/**
 * The default audit policy: metadata of all requests, bodies of writes, no credentials. A value,
 * because parsing YAML takes a tenth of the worker's start.
 */
export const FIRST_POLICY: JsonObject = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    {
      level: 'None',
      nonResourceURLs: ['/openapi*', '/healthz*', '/livez*', '/readyz*', '/version'],
    },
    {
      level: 'Metadata',
      resources: [
        { group: '', resources: ['secrets', 'serviceaccounts/token'] },
        { group: 'authentication.k8s.io', resources: ['tokenreviews'] },
      ],
    },
    { level: 'RequestResponse', verbs: ['create', 'update', 'patch', 'delete'] },
    { level: 'Metadata' },
  ],
}

export class RecentRequests {
  readonly traces = new LastItems<RequestTrace>(MOST_TRACES)
  readonly events = new LastItems<AuditEvent>(MOST_EVENTS)
  /** Successful writes of clients, without those of controllers. */
  readonly writes = new LastItems<ClientWrite>(MOST_WRITES)
  private text: string | undefined
  private followed: ApiServer | undefined
  private parsed: AuditPolicy | undefined = auditPolicyOf(FIRST_POLICY)

  /** Text of the current policy. */
  get policy(): string {
    this.text ??= auditPolicyText(FIRST_POLICY)
    return this.text
  }

  clear(): void {
    this.traces.clear()
    this.events.clear()
    this.writes.clear()
    this.followed = undefined
  }

  follow(server: ApiServer): void {
    this.followed = server
    server.onTrace((trace) => {
      if (this.followed !== server) return
      this.traces.add(asData(trace))
      const { id, userAgent, inside, written } = trace
      if (written !== undefined && !inside) this.writes.add({ id, userAgent, written })
    })
    this.audit(server)
  }

  /** @throws PolicyError with the position of the error */
  setPolicy(text: string, server: ApiServer): void {
    this.parsed = text.trim() === '' ? undefined : parseAuditPolicy(text)
    this.text = text
    this.audit(server)
  }

  private audit(server: ApiServer): void {
    const policy = this.parsed
    const sink = (event: AuditEvent) => void (this.followed === server && this.events.add(event))
    server.setAudit(policy && { policy, sink })
  }
}

function asData(trace: Trace): RequestTrace {
  return {
    id: trace.id,
    method: trace.method,
    target: trace.target,
    received: trace.received,
    status: trace.status,
    failure: trace.failure,
    spans: trace.spans,
    user: trace.user,
    impersonated: trace.impersonated,
    authorization: trace.authorization,
    annotations: trace.annotations,
    policies: trace.policies,
    userAgent: trace.userAgent,
    milliseconds: trace.elapsed(),
    attributes: trace.attributes && attributesAlone(trace.attributes),
  }
}

function attributesAlone({
  verb,
  isResource,
  path,
  group,
  version,
  resource,
  subresource,
  namespace,
  name,
}: RequestAttributes): RequestAttributes {
  return { verb, isResource, path, group, version, resource, subresource, namespace, name }
}
