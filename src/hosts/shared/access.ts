/** What the page asks about rights: the engine's questions and answers, by kind of channel request. */
import type {
  AccessResource,
  AccessSubject,
  AskedAttributes,
  Caveat,
  Cell,
  Chain,
  ExplainQuestion,
  Explanation,
  Holder,
  LeastRole,
  LeastRoleQuestion,
  Matrix,
  MatrixQuestion,
  ReachWarning,
  RoleCheckQuestion,
  Step,
  StillRefused,
  WarningsQuestion,
  WhoCan,
  WhoCanQuestion,
} from '../../engine/authorization/answers/questions'
import type { Decider, Grounds, NearMiss, Shortfall } from '../../engine/authorization/authorizer'
import type { PolicyRule } from '../../engine/authorization/rbac/rules'
import type { AuditEvent } from '../../engine/telemetry/audit/event'

export type {
  AccessResource,
  AccessSubject,
  AskedAttributes,
  Caveat,
  Cell,
  Chain,
  Decider,
  ExplainQuestion,
  Explanation,
  Grounds,
  Holder,
  LeastRole,
  Matrix,
  MatrixQuestion,
  NearMiss,
  PolicyRule,
  ReachWarning,
  Shortfall,
  Step,
  StillRefused,
  WarningsQuestion,
  WhoCan,
  WhoCanQuestion,
}

export interface AccessRequests {
  /** The row of authorizers, in the order in which they are asked; the group that stands above all first. */
  accessAuthorizers: { request: undefined; response: Decider[] }
  /** A table of verbs and resources for one subject. Fails with the server's words for a revision that is discarded. */
  accessMatrix: { request: MatrixQuestion; response: Matrix }
  /** Why one request would be allowed or rejected: what each authorizer says, chains of roles, near misses. Webhooks are called. */
  accessExplain: { request: ExplainQuestion; response: Explanation }
  /** Everyone who may do something, and by what. */
  accessWhoCan: { request: WhoCanQuestion; response: WhoCan }
  /** The smallest roles for requests that were made, from traces (`asked`) or audit events. */
  accessLeastRoles: {
    request: LeastRoleQuestion & { events?: readonly AuditEvent[] }
    response: LeastRole[]
  }
  /** Which requests a role that is being written would still forbid. */
  accessStillRefused: {
    request: RoleCheckQuestion & { events?: readonly AuditEvent[] }
    response: StillRefused[]
  }
  /** Which rules reach further than they seem: of a role that is being written, or of what a subject holds. */
  accessWarnings: { request: WarningsQuestion; response: ReachWarning[] }
}
