/**
 * What can be asked about rights besides "may this request pass?", and the shape of the answers. Plain data: the page asks over
 * its host's channel and works nothing out by itself.
 */
import type { UserInfo } from '../../authentication/authenticator'
import type { Question } from '../../authentication/impersonation'
import type { Decider, Grounds, NearMiss, Shortfall, Verdict } from '../authorizer'
import type { PolicyRule } from '../rbac/rules'

/** What a request asks for, in the words of authorization; empty where it does not apply. */
export type AskedAttributes = Omit<Question, 'user'>

/** Whose rights are looked at. Members of a group, and users of whom no groups are told, are members of `system:authenticated` besides. */
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
  /** What it serves; roles may name any verb. */
  verbs: readonly string[]
}

export interface MatrixQuestion extends AsOf {
  subject: AccessSubject
  /** Resources of namespaces are asked for in this one; `''`: in all of them. */
  namespace: string
  /** The columns; the eight verbs of the API if absent. */
  verbs?: readonly string[]
  /** The rows; all that is served if absent. */
  resources?: readonly AccessResource[]
  /** Paths that are no resources; none if absent. Their columns are `PATH_VERBS`. */
  paths?: readonly string[]
}

/** `some`: only objects of certain names. */
export interface Cell {
  outcome: 'allowed' | 'some' | 'refused'
  /** Who allowed or denied it; absent where nobody had an opinion. */
  by?: Decider
  /** With `some`: which names. */
  names?: readonly string[]
}

export interface Matrix {
  /** What roles and bindings it shows. */
  revision: number
  user: UserInfo
  verbs: readonly string[]
  rows: { resource: AccessResource; cells: Cell[] }[]
  pathVerbs: readonly string[]
  paths: { path: string; cells: Cell[] }[]
  caveats: Caveat[]
}

/**
 * What an answer does not tell. `unasked`: a webhook, which nobody calls for a whole table, might have said something else;
 * `untold`: a mode cannot say whom it allows; `present`: a mode knows only how things stand now.
 */
export interface Caveat {
  kind: 'unasked' | 'untold' | 'present'
  by: Decider
  text: string
}

/** Grounds with where the rule of an aggregated role comes from. */
export interface Chain extends Grounds {
  /** ClusterRoles that an aggregation rule selects and that have this rule. */
  aggregatedFrom?: string[]
}

/** One authorizer of the row, in order; `verdict` is absent where it was not asked because one before it had decided. */
export interface Step {
  by: Decider
  verdict?: Pick<Verdict, 'decision' | 'reason' | 'error'>
}

export interface ExplainQuestion extends AsOf {
  subject: AccessSubject
  asked: AskedAttributes
}

export interface Explanation {
  revision: number
  user: UserInfo
  /** No opinion of anybody is a refusal. */
  allowed: boolean
  reason: string
  error?: string
  by?: Decider
  steps: Step[]
  /** Every chain of roles that allows it, the deciding one first. */
  chains: Chain[]
  /** For a refusal: what almost allowed it. */
  nearMisses: NearMiss[]
}

export interface WhoCanQuestion extends AsOf {
  asked: AskedAttributes
}

/** Somebody who may, and by what. */
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

export interface LeastRoleQuestion {
  requests: readonly AskedAttributes[]
  /** Whether rules are limited to the objects that were named. */
  names: boolean
}

/** Rules for one scope: a Role of the namespace, or for `''` a ClusterRole bound in the whole cluster. */
export interface LeastRole {
  namespace: string
  rules: PolicyRule[]
}

export interface RoleCheckQuestion {
  rules: readonly PolicyRule[]
  /** Where they are bound; `''`: in the whole cluster. */
  namespace: string
  requests: readonly AskedAttributes[]
}

/** A request that the rules would still refuse. */
export interface StillRefused {
  /** Its place among the requests. */
  index: number
  /** The rule that comes closest, if one falls short by one thing only. */
  rule?: PolicyRule
  lacks?: Shortfall
}

/** Rules of a role that is being written, or everything that somebody holds. */
export type WarningsQuestion =
  | { rules: readonly PolicyRule[] }
  | ({ subject: AccessSubject; namespace: string } & AsOf)

/** A right that reaches further than it seems. */
export interface ReachWarning {
  kind: string
  rule: PolicyRule
  /** Which of the rule's words it is about: `create pods`. */
  right: string
  text: string
  /** From whom the subject has it. */
  chain?: Chain
}

export interface Access {
  /** The row of authorizers, in order; the group that stands above all first. */
  authorizers(): Decider[]
  /** @throws CompactedError, FutureRevisionError */
  matrix(question: MatrixQuestion): Promise<Matrix>
  /** @throws CompactedError, FutureRevisionError */
  explain(question: ExplainQuestion): Promise<Explanation>
  /** @throws CompactedError, FutureRevisionError */
  whoCan(question: WhoCanQuestion): Promise<WhoCan>
  leastRoles(question: LeastRoleQuestion): LeastRole[]
  stillRefused(question: RoleCheckQuestion): StillRefused[]
  /** @throws CompactedError, FutureRevisionError */
  warnings(question: WarningsQuestion): Promise<ReachWarning[]>
}
