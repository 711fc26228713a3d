/**
 * Access queries and their results. Plain data: the page sends queries over the channel of its host
 * and computes nothing itself.
 */
import type { UserInfo } from '../../authentication/authenticator'
import type { AttributesRecord } from '../../authentication/impersonation'
import type { Decider, Grounds, NearMiss, Shortfall, Verdict } from '../authorizer'
import type { PolicyRule } from '../rbac/rules'

/** Attributes for authorization; members that do not apply are empty. */
export type QueryAttributes = Omit<AttributesRecord, 'user'>

/**
 * The subject of a query. Group members, and users without given groups, are in
 * `system:authenticated` as well.
 */
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

/** Roles and bindings as they stood at this revision; now, if absent. Other modes keep no past. */
export interface AsOf {
  revision?: number
}

/** A resource or subresource that is served, as authorization names it. */
export interface AccessResource {
  group: string
  version: string
  /** `deployments` or `deployments/scale` */
  resource: string
  namespaced: boolean
  /** The verbs that it supports; roles may name any verb. */
  verbs: readonly string[]
}

export interface MatrixQuery extends AsOf {
  subject: AccessSubject
  /** The namespace for namespaced resources; `""` means all namespaces. */
  namespace: string
  /** The columns; the eight verbs of the API if absent. */
  verbs?: readonly string[]
  /** The rows; all that is served if absent. */
  resources?: readonly AccessResource[]
  /** Non-resource paths; none if absent. Their columns are `PATH_VERBS`. */
  paths?: readonly string[]
}

/** `some`: only objects of certain names. */
export interface Cell {
  outcome: 'allowed' | 'some' | 'forbidden'
  /** The authorizer that decided; absent if none had an opinion. */
  by?: Decider
  /** With `some`: which names. */
  names?: readonly string[]
}

export interface Matrix {
  /** The revision of the roles and bindings. */
  revision: number
  user: UserInfo
  verbs: readonly string[]
  rows: { resource: AccessResource; cells: Cell[] }[]
  pathVerbs: readonly string[]
  paths: { path: string; cells: Cell[] }[]
  caveats: Caveat[]
}

/**
 * A limit of a result:
 * - `not-evaluated`: an authorization webhook, which a matrix does not call, might decide otherwise
 * - `incomplete`: an authorization mode cannot list the subjects that it allows
 * - `current-state`: an authorization mode only evaluates the current state
 */
export interface Caveat {
  kind: 'not-evaluated' | 'incomplete' | 'current-state'
  by: Decider
  text: string
}

/** Grounds with where the rule of an aggregated role comes from. */
export interface Chain extends Grounds {
  /** ClusterRoles that an aggregation rule selects and that have this rule. */
  aggregatedFrom?: string[]
}

/** One authorizer of the chain, in order; `verdict` is absent if an earlier one decided. */
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
  /** Every chain of roles that allows it, the deciding one first. */
  chains: Chain[]
  /** If forbidden: grants that nearly allowed it. */
  nearMisses: NearMiss[]
}

export interface WhoCanQuery extends AsOf {
  attributes: QueryAttributes
}

/** A subject that may, and the reason. */
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
  /** Whether rules are limited to the objects that were named. */
  names: boolean
}

/** Rules for one scope: a Role of the namespace, or for `''` a ClusterRole bound in the whole cluster. */
export interface LeastRole {
  namespace: string
  rules: PolicyRule[]
}

export interface RoleCheckQuery {
  rules: readonly PolicyRule[]
  /** Where they are bound; `''`: in the whole cluster. */
  namespace: string
  requests: readonly QueryAttributes[]
}

/** A request that the rules still deny. */
export interface StillDenied {
  /** Its place among the requests. */
  index: number
  /** The rule that comes closest, if one falls short by one thing only. */
  rule?: PolicyRule
  lacks?: Shortfall
}

/** The rules of a draft role, or all rules of a subject. */
export type EscalationRiskQuery =
  | { rules: readonly PolicyRule[] }
  | ({ subject: AccessSubject; namespace: string } & AsOf)

/** A right that reaches further than it seems. */
export interface EscalationRisk {
  kind: string
  rule: PolicyRule
  /** Which of the rule's words it is about: `create pods`. */
  right: string
  text: string
  /** From whom the subject has it. */
  chain?: Chain
}

export interface Access {
  /** The authorizer chain, in order; the one for system:masters first. */
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
