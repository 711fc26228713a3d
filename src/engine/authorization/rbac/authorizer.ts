/**
 * The RBAC authorizer, which allows or has no opinion (kubernetes.io, "Using RBAC Authorization").
 */

import type { UserInfo } from '../../authentication/authenticator'
import { aggregateMessage } from '../../core/aggregate-message'
import { chain } from '../../core/maybe-promise'
import { goQuote } from '../../schema/go-text'
import type { Attributes, Authorizer, RuleList, Verdict } from '../authorizer'
import { allGrantPaths } from './grant-paths'
import { groundsOf, nearMisses } from './near-misses'
import { type Grant, MissingRole, type RoleIndex } from './role-index'
import { type PolicyRule, ruleAllows } from './rules'

const NO_OPINION: Verdict = { decision: 'noOpinion', reason: '' }
const CLUSTER = ['']

export function rbacAuthorizer(index: RoleIndex): Authorizer {
  return {
    authorize(attributes) {
      return chain(index.ready(), () => decide(index, attributes))
    },
    rules: (user, namespace) => rulesOf(index, user, namespace),
    nearMisses: (attributes) => nearMisses(index, attributes),
    async holders(attributes) {
      await index.ready()
      return allGrantPaths(index, attributes)
    },
  }
}

/** Cluster bindings come first. */
function decide(index: RoleIndex, attributes: Attributes): Verdict {
  const { user, namespace } = attributes
  let missing: string[] | undefined
  for (const scope of namespace === '' ? CLUSTER : ['', namespace]) {
    /** Many bindings share a role: evaluate it once. */
    let refusing: readonly PolicyRule[] | undefined
    for (const grant of index.grantsOf(user, scope)) {
      const { roleRef } = grant.binding
      const rules = index.rulesOf(roleRef, scope)
      if (rules !== undefined && rules === refusing) continue
      if (rules === undefined) {
        missing ??= []
        missing.push(new MissingRole(roleRef).singular())
        continue
      }
      for (const rule of rules) {
        if (ruleAllows(rule, attributes))
          return { decision: 'allow', reason: allowedBy(grant), grounds: groundsOf(grant, rule) }
      }
      refusing = rules
    }
  }
  return missing === undefined
    ? NO_OPINION
    : { decision: 'noOpinion', reason: `RBAC: ${aggregateMessage(missing)}` }
}

async function rulesOf(index: RoleIndex, user: UserInfo, namespace: string): Promise<RuleList> {
  const { rules, missing } = await index.rulesFor(user, namespace)
  const list: RuleList = { resourceRules: [], nonResourceRules: [], incomplete: false }
  for (const { nonResourceURLs, verbs, ...about } of rules) {
    const rule = { verbs: verbs ?? [], ...about }
    if (nonResourceURLs?.length) list.nonResourceRules.push({ verbs: rule.verbs, nonResourceURLs })
    if (rule.resources?.length) list.resourceRules.push(rule)
  }
  if (missing.length > 0)
    list.evaluationError = aggregateMessage(missing.map((role) => role.singular()))
  return list
}

/** `RBAC: allowed by RoleBinding "a/ns" of ClusterRole "b" to User "c"` (kube-apiserver 1.31) */
function allowedBy({ binding, subject }: Grant): string {
  const { name, namespace, roleRef } = binding
  const from =
    namespace === ''
      ? `ClusterRoleBinding ${goQuote(name)}`
      : `RoleBinding ${goQuote(`${name}/${namespace}`)}`
  const who =
    subject.kind === 'ServiceAccount'
      ? `${subject.name}/${subject.namespace || namespace}`
      : subject.name
  return `RBAC: allowed by ${from} of ${roleRef.kind} ${goQuote(roleRef.name)} to ${subject.kind} ${goQuote(who)}`
}
