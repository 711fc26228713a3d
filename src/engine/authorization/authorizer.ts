/** May they? The question every request asks once, and the shape of the answer (document 2, "Authorization"). */
import type { UserInfo } from '../authentication/authenticator'
import type { Question } from '../authentication/impersonation'
import type { SelectorAttributes } from './selectors'

export interface Attributes extends Question {
  /** What a request for several objects limits itself to; only with the feature gate AuthorizeWithSelectors. */
  fieldSelector?: SelectorAttributes
  labelSelector?: SelectorAttributes
}

export type Decision = 'allow' | 'deny' | 'noOpinion'

/** The authorizer that decided: its mode, and its name in the configuration. */
export interface Decider {
  type: string
  name: string
}

/** From whom a right comes: subject, binding, role, rule. */
export interface Grounds {
  subject: { kind: string; name: string; namespace?: string }
  /** Namespace `''`: of the cluster. */
  binding: { kind: string; name: string; namespace: string }
  role: { kind: string; name: string; namespace: string }
  rule?: object
}

export type Shortfall = 'role' | 'verb' | 'name' | 'subresource' | 'namespace' | 'group'

/** Grounds that would have allowed a request but for one thing: the role that is not there, another verb, name … */
export interface NearMiss extends Grounds {
  lacks: Shortfall
}

export interface Verdict {
  decision: Decision
  reason: string
  /** Why the question could not be judged properly; a decision may stand all the same. */
  error?: string
  by?: Decider
  /** Where roles allowed it. */
  grounds?: Grounds
}

/** Somebody who may, by roles or by other means. */
export type Holding = Grounds | Pick<Grounds, 'subject'>

export interface Authorizer {
  authorize(attributes: Attributes): Promise<Verdict> | Verdict
  /** Everything that the user may do in a namespace, where the mode can list it. */
  rules?(user: UserInfo, namespace: string): Promise<RuleList>
  /** What almost allowed a request that was refused, where the mode can tell. */
  nearMisses?(attributes: Attributes): NearMiss[]
  /** Everybody who may, with the grounds where roles give them; absent where the mode cannot tell. */
  holders?(asked: Omit<Attributes, 'user'>): Holding[] | Promise<Holding[]>
}

export interface ResourceRule {
  verbs: string[]
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
}

export interface NonResourceRule {
  verbs: string[]
  nonResourceURLs: string[]
}

export interface RuleList {
  resourceRules: ResourceRule[]
  nonResourceRules: NonResourceRule[]
  /** Another mode may allow more than it can list. */
  incomplete: boolean
  evaluationError?: string
}

/** The list of a mode that cannot list anything. @param error what it says of that */
export function unlisted(error: string): RuleList {
  return { resourceRules: [], nonResourceRules: [], incomplete: true, evaluationError: error }
}
