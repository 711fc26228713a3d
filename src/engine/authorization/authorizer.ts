/**
 * The authorizer interface, which every request passes (kubernetes.io, "Authorization";
 * k8s.io/apiserver, package pkg/authorization/authorizer).
 */
import type { UserInfo } from '../authentication/authenticator'
import type { AttributesRecord } from '../authentication/impersonation'
import type { SelectorAttributes } from './selectors'

export interface Attributes extends AttributesRecord {
  /**
   * Selectors of a list, watch or deletecollection; only with the feature gate
   * AuthorizeWithSelectors.
   */
  fieldSelector?: SelectorAttributes
  labelSelector?: SelectorAttributes
}

export type Decision = 'allow' | 'deny' | 'noOpinion'

/** The authorizer that decided: its mode, and its name in the configuration. */
export interface Decider {
  type: string
  name: string
}

/** A grant: subject, binding, role, rule. */
export interface Grounds {
  subject: { kind: string; name: string; namespace?: string }
  /** Namespace `''`: of the cluster. */
  binding: { kind: string; name: string; namespace: string }
  role: { kind: string; name: string; namespace: string }
  rule?: object
}

export type Shortfall = 'role' | 'verb' | 'name' | 'subresource' | 'namespace' | 'group'

/**
 * A grant that would have allowed a request except for one thing: a missing role, another verb,
 * another name …
 */
export interface NearMiss extends Grounds {
  lacks: Shortfall
}

export interface Verdict {
  decision: Decision
  reason: string
  /** An evaluation error; a decision may still be valid. */
  error?: string
  by?: Decider
  /** Where roles allowed it. */
  grounds?: Grounds
}

/** A subject that may, by a role or otherwise. */
export type Holding = Grounds | Pick<Grounds, 'subject'>

export interface Authorizer {
  authorize(attributes: Attributes): Promise<Verdict> | Verdict
  /** Everything that the user may do in a namespace, where the mode can list it. */
  rules?(user: UserInfo, namespace: string): Promise<RuleList>
  /** Grants that nearly allowed a forbidden request, if the mode can list them. */
  nearMisses?(attributes: Attributes): NearMiss[]
  /** All subjects that may, with their grants; absent if the mode cannot list them. */
  holders?(attributes: Omit<Attributes, 'user'>): Holding[] | Promise<Holding[]>
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
  /** Whether the mode may allow more than it lists. */
  incomplete: boolean
  evaluationError?: string
}

/** The rule list of a mode that cannot list rules. @param error the reason */
export function unlisted(error: string): RuleList {
  return { resourceRules: [], nonResourceRules: [], incomplete: true, evaluationError: error }
}
