/** Channel requests of access queries, with the engine's types. */
import type {
  AccessResource,
  AccessSubject,
  Caveat,
  Cell,
  Chain,
  EscalationRisk,
  EscalationRiskQuery,
  ExplainQuery,
  Explanation,
  Holder,
  LeastRole,
  LeastRoleQuery,
  Matrix,
  MatrixQuery,
  QueryAttributes,
  RoleCheckQuery,
  Step,
  StillDenied,
  WhoCan,
  WhoCanQuery,
} from '../../engine/authorization/access-queries/types'
import type { Decider, Grounds, NearMiss, Shortfall } from '../../engine/authorization/authorizer'
import type { PolicyRule } from '../../engine/authorization/rbac/rules'
import type { AuditEvent } from '../../engine/telemetry/audit/event'

export type {
  AccessResource,
  AccessSubject,
  Caveat,
  Cell,
  Chain,
  Decider,
  EscalationRisk,
  EscalationRiskQuery,
  ExplainQuery,
  Explanation,
  Grounds,
  Holder,
  LeastRole,
  Matrix,
  MatrixQuery,
  NearMiss,
  PolicyRule,
  QueryAttributes,
  Shortfall,
  Step,
  StillDenied,
  WhoCan,
  WhoCanQuery,
}

export interface AccessRequests {
  /** In order, the check of `system:masters` first. */
  accessAuthorizers: { request: undefined; response: Decider[] }
  /** Verbs and resources of one subject. Fails for a compacted revision. */
  accessMatrix: { request: MatrixQuery; response: Matrix }
  /** Decisions of each authorizer, binding chains, near misses. Calls webhooks. */
  accessExplain: { request: ExplainQuery; response: Explanation }
  /** All subjects that may perform a request, and their bindings. */
  accessWhoCan: { request: WhoCanQuery; response: WhoCan }
  /** Minimal roles for observed requests, from traces (`attributes`) or audit events. */
  accessLeastRoles: {
    request: LeastRoleQuery & { events?: readonly AuditEvent[] }
    response: LeastRole[]
  }
  /** Requests that a draft of a role would still forbid. */
  accessStillDenied: {
    request: RoleCheckQuery & { events?: readonly AuditEvent[] }
    response: StillDenied[]
  }
  /** Privilege escalation risks of a role's draft, or of a subject. */
  accessWarnings: { request: EscalationRiskQuery; response: EscalationRisk[] }
}
