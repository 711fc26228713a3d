/** What the page asks about rights: the engine's questions and answers, by kind of channel request. */
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
  /** The row of authorizers, in the order in which they are asked; the group that stands above all first. */
  accessAuthorizers: { request: undefined; response: Decider[] }
  /** A table of verbs and resources for one subject. Fails with the server's words for a revision that is discarded. */
  accessMatrix: { request: MatrixQuery; response: Matrix }
  /** Why one request would be allowed or rejected: what each authorizer says, chains of roles, near misses. Webhooks are called. */
  accessExplain: { request: ExplainQuery; response: Explanation }
  /** Everyone who may do something, and by what. */
  accessWhoCan: { request: WhoCanQuery; response: WhoCan }
  /** The smallest roles for requests that were made, from traces (`asked`) or audit events. */
  accessLeastRoles: {
    request: LeastRoleQuery & { events?: readonly AuditEvent[] }
    response: LeastRole[]
  }
  /** Which requests a role that is being written would still forbid. */
  accessStillRefused: {
    request: RoleCheckQuery & { events?: readonly AuditEvent[] }
    response: StillDenied[]
  }
  /** Which rules reach further than they seem: of a role that is being written, or of what a subject holds. */
  accessWarnings: { request: EscalationRiskQuery; response: EscalationRisk[] }
}
