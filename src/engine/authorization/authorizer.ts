/**
 * What an authorizer decides about, and what it returns. k8s.io/apiserver, package
 * pkg/authorization/authorizer.
 */
import type { UserInfo } from '../authentication/authenticator'
import type { AttributesRecord } from '../authentication/impersonation'
import type { SelectorAttributes } from './selectors'

export interface Attributes extends AttributesRecord {
  /** Only with the feature gate AuthorizeWithSelectors. */
  fieldSelector?: SelectorAttributes
  labelSelector?: SelectorAttributes
}

export type Decision = 'allow' | 'deny' | 'noOpinion'

export interface Decider {
  type: string
  name: string
}

export interface Grounds {
  subject: { kind: string; name: string; namespace?: string }
  /** `''`: a ClusterRoleBinding. */
  binding: { kind: string; name: string; namespace: string }
  role: { kind: string; name: string; namespace: string }
  rule?: object
}

export type Shortfall = 'role' | 'verb' | 'name' | 'subresource' | 'namespace' | 'group'

/** A grant that would allow the request if one attribute were different. */
export interface NearMiss extends Grounds {
  lacks: Shortfall
}

export interface Verdict {
  decision: Decision
  reason: string
  /** The decision may still be valid. */
  error?: string
  by?: Decider
  grounds?: Grounds
}

/** The permission comes from a role or otherwise. */
export type Holding = Grounds | Pick<Grounds, 'subject'>

export interface Authorizer {
  authorize(attributes: Attributes): Promise<Verdict> | Verdict
  /** Absent if the mode cannot list them. */
  rules?(user: UserInfo, namespace: string): Promise<RuleList>
  nearMisses?(attributes: Attributes): NearMiss[]
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
  incomplete: boolean
  evaluationError?: string
}

export function unlisted(error: string): RuleList {
  return { resourceRules: [], nonResourceRules: [], incomplete: true, evaluationError: error }
}
