/** The channel requests of the page's access queries, with the engine's queries and results. */
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
  /** In order, with the check of `system:masters` first. */
  accessAuthorizers: { request: undefined; response: Decider[] }
  /** Verbs and resources of one subject. Fails for a compacted revision. */
  accessMatrix: { request: MatrixQuery; response: Matrix }
  /** The decision of each authorizer, chains of bindings, near misses. Calls webhooks. */
  accessExplain: { request: ExplainQuery; response: Explanation }
  /** All subjects that may perform a request, and their bindings. */
  accessWhoCan: { request: WhoCanQuery; response: WhoCan }
  /** Minimal roles for observed requests, from traces (`attributes`) or audit events. */
  accessLeastRoles: {
    request: LeastRoleQuery & { events?: readonly AuditEvent[] }
    response: LeastRole[]
  }
  /** The requests that a draft of a role would still forbid. */
  accessStillDenied: {
    request: RoleCheckQuery & { events?: readonly AuditEvent[] }
    response: StillDenied[]
  }
  /** Privilege escalation risks of a draft of a role, or of a subject's permissions. */
  accessWarnings: { request: EscalationRiskQuery; response: EscalationRisk[] }
}
