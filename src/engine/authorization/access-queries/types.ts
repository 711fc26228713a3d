/** Plain data: the page computes nothing. */
import type { UserInfo } from '../../authentication/authenticator'
import type { AttributesRecord } from '../../authentication/impersonation'
import type { Decider, Grounds, NearMiss, Shortfall, Verdict } from '../authorizer'
import type { PolicyRule } from '../rbac/rules'

/** Members that do not apply are empty. */
export type QueryAttributes = Omit<AttributesRecord, 'user'>

/** `system:authenticated` is implied, unless users have explicit groups. */
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

/** Only roles and bindings have a history. */
export interface AsOf {
  revision?: number
}

export interface AccessResource {
  group: string
  version: string
  /** `deployments` or `deployments/scale` */
  resource: string
  namespaced: boolean
  /** Not only served ones, because roles may contain any verb. */
  verbs: readonly string[]
}

export interface MatrixQuery extends AsOf {
  subject: AccessSubject
  /** `""`: all namespaces. */
  namespace: string
  /** The eight verbs of the API if absent. */
  verbs?: readonly string[]
  /** All served resources if absent. */
  resources?: readonly AccessResource[]
  /** With the columns `PATH_VERBS`. */
  paths?: readonly string[]
}

/** `some`: only objects with certain names. */
export interface Cell {
  outcome: 'allowed' | 'some' | 'forbidden'
  by?: Decider
  /** For `some`. */
  names?: readonly string[]
}

export interface Matrix {
  revision: number
  user: UserInfo
  verbs: readonly string[]
  rows: { resource: AccessResource; cells: Cell[] }[]
  pathVerbs: readonly string[]
  paths: { path: string; cells: Cell[] }[]
  caveats: Caveat[]
}

/**
 * - `not-evaluated`: a webhook might decide otherwise
 * - `incomplete`: the mode cannot list its subjects
 * - `current-state`: the mode has no history
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
  /** False if no authorizer has an opinion. */
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

/** `''`: rules for a ClusterRole. */
export interface LeastRole {
  namespace: string
  rules: PolicyRule[]
}

export interface RoleCheckQuery {
  rules: readonly PolicyRule[]
  /** `''`: the whole cluster. */
  namespace: string
  requests: readonly QueryAttributes[]
}

export interface StillDenied {
  index: number
  /** Differs from the request in one attribute only. */
  rule?: PolicyRule
  lacks?: Shortfall
}

/** For a draft role, or for a subject. */
export type EscalationRiskQuery =
  | { rules: readonly PolicyRule[] }
  | ({ subject: AccessSubject; namespace: string } & AsOf)

export interface EscalationRisk {
  kind: string
  rule: PolicyRule
  right: string
  text: string
  chain?: Chain
}

export interface Access {
  /** system:masters first. */
  authorizers(): Decider[]
  /** @throws CompactedError, FutureRevisionError */
  matrix(question: MatrixQuery): Promise<Matrix>
  explain(question: ExplainQuery): Promise<Explanation>
  whoCan(question: WhoCanQuery): Promise<WhoCan>
  leastRoles(question: LeastRoleQuery): LeastRole[]
  stillDenied(question: RoleCheckQuery): StillDenied[]
  warnings(question: EscalationRiskQuery): Promise<EscalationRisk[]>
}
