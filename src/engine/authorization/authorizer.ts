/** May they? The question every request asks once, and the shape of the answer (document 2, "Authorization"). */
import type { UserInfo } from '../authentication/authenticator'

export interface Attributes {
  user: UserInfo
  verb: string
  isResource: boolean
  path: string
  group: string
  version: string
  resource: string
  subresource: string
  namespace: string
  name: string
}

export type Decision = 'allow' | 'deny' | 'noOpinion'

export interface Verdict {
  decision: Decision
  reason: string
  error?: string
}

export interface Authorizer {
  authorize(attributes: Attributes): Promise<Verdict> | Verdict
  /** Everything that the user may do in a namespace, where the mode can list it. */
  rules?(user: UserInfo, namespace: string): Promise<RuleList>
}

export interface RuleList {
  resourceRules: { verbs: string[]; apiGroups?: string[]; resources?: string[]; resourceNames?: string[] }[]
  nonResourceRules: { verbs: string[]; nonResourceURLs: string[] }[]
  /** Another mode may allow more than it can list. */
  incomplete: boolean
  evaluationError?: string
}

/** `--authorization-mode=AlwaysAllow` */
export const alwaysAllow: Authorizer = { authorize: () => ({ decision: 'allow', reason: '' }) }
