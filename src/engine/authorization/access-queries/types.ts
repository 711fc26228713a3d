/** Access queries and their results as plain data: the page computes nothing. */
import type { UserInfo } from '../../authentication/authenticator'
import type { AttributesRecord } from '../../authentication/impersonation'
import type { Decider, Grounds, NearMiss, Shortfall, Verdict } from '../authorizer'
import type { PolicyRule } from '../rbac/rules'

/** Members that do not apply are empty. */
export type QueryAttributes = Omit<AttributesRecord, 'user'>

/** Group members, and users without explicit groups, are also in `system:authenticated`. */
export type AccessSubject =
  | {
      kind: 'User'
      name: string
      uid?: string
      groups?: string[]
      extra?: Record<string, string[]>
    }
  | { kind: 'Group'; name: string }
  | { kind: 'ServiceAccount'; namespace: string; name: string }

/** The current revision if absent. Only roles and bindings have a history. */
export interface AsOf {
  revision?: number
}

export interface AccessResource {
  group: string
  version: string
  /** `deployments` or `deployments/scale` */
  resource: string
  namespaced: boolean
  /** Roles may contain any verb. */
  verbs: readonly string[]
}

export interface MatrixQuery extends AsOf {
  subject: AccessSubject
  /** For namespaced resources; `""` means all namespaces. */
  namespace: string
  /** The columns; the eight verbs of the API if absent. */
  verbs?: readonly string[]
  /** The rows; all served resources if absent. */
  resources?: readonly AccessResource[]
  /** Non-resource paths, with the columns `PATH_VERBS`. */
  paths?: readonly string[]
}

/** `some`: only objects with certain names. */
export interface Cell {
  outcome: 'allowed' | 'some' | 'forbidden'
  /** Absent if no authorizer had an opinion. */
  by?: Decider
  /** For `some`. */
  names?: readonly string[]
}

export interface Matrix {
  /** Of the roles and bindings. */
  revision: number
  user: UserInfo
  verbs: readonly string[]
  rows: { resource: AccessResource; cells: Cell[] }[]
  pathVerbs: readonly string[]
  paths: { path: string; cells: Cell[] }[]
  caveats: Caveat[]
}

/**
 * - `not-evaluated`: a webhook, which a matrix does not call, might decide otherwise
 * - `incomplete`: the mode cannot list the subjects that it allows
 * - `current-state`: the mode only evaluates the current state
 */
export interface Caveat {
  kind: 'not-evaluated' | 'incomplete' | 'current-state'
  by: Decider
  text: string
}

export interface Chain extends Grounds {
  /** ClusterRoles that an aggregation rule selects and that have this rule. */
  aggregatedFrom?: string[]
}

/** `verdict` is absent if an earlier authorizer decided. */
export interface Step {
  by: Decider
  verdict?: Pick<Verdict, 'decision' | 'reason' | 'error'>
}

export interface ExplainQuery extends AsOf {
  subject: AccessSubject
  attributes: QueryAttributes
}

export interface Explanation {
  revision: number
  user: UserInfo
  /** Without any opinion the request is forbidden. */
  allowed: boolean
  reason: string
  error?: string
  by?: Decider
  steps: Step[]
  /** The deciding grant first. */
  chains: Chain[]
  /** Grants that nearly allowed it. */
  nearMisses: NearMiss[]
}

export interface WhoCanQuery extends AsOf {
  attributes: QueryAttributes
}

export interface Holder {
  subject: Grounds['subject']
  by: Decider
  chain?: Chain
}

export interface WhoCan {
  revision: number
  holders: Holder[]
  caveats: Caveat[]
}

export interface LeastRoleQuery {
  requests: readonly QueryAttributes[]
  /** Restricts rules to the names in the requests. */
  names: boolean
}

/** A Role of the namespace, or for `''` a ClusterRole. */
export interface LeastRole {
  namespace: string
  rules: PolicyRule[]
}

export interface RoleCheckQuery {
  rules: readonly PolicyRule[]
  /** Of the binding; `''`: the whole cluster. */
  namespace: string
  requests: readonly QueryAttributes[]
}

export interface StillDenied {
  /** In the list of requests. */
  index: number
  /** Differs from the request in one attribute only. */
  rule?: PolicyRule
  lacks?: Shortfall
}

/** The rules of a draft role, or all rules of a subject. */
export type EscalationRiskQuery =
  | { rules: readonly PolicyRule[] }
  | ({ subject: AccessSubject; namespace: string } & AsOf)

export interface EscalationRisk {
  kind: string
  rule: PolicyRule
  /** The part of the rule: `create pods`. */
  right: string
  text: string
  chain?: Chain
}

export interface Access {
  /** In order; that of system:masters first. */
  authorizers(): Decider[]
  /** @throws CompactedError, FutureRevisionError */
  matrix(question: MatrixQuery): Promise<Matrix>
  /** @throws CompactedError, FutureRevisionError */
  explain(question: ExplainQuery): Promise<Explanation>
  /** @throws CompactedError, FutureRevisionError */
  whoCan(question: WhoCanQuery): Promise<WhoCan>
  leastRoles(question: LeastRoleQuery): LeastRole[]
  stillDenied(question: RoleCheckQuery): StillDenied[]
  /** @throws CompactedError, FutureRevisionError */
  warnings(question: EscalationRiskQuery): Promise<EscalationRisk[]>
}
