/**
 * The first matching policy allows (kubernetes.io, "Using ABAC Authorization"). Recorded from
 * kube-apiserver 1.31.
 */
import type { UserInfo } from '../../authentication/authenticator'
import type { Attributes, Authorizer, RuleList, Verdict } from '../authorizer'
import { ALL, pathCovers } from '../rbac/rules'
import type { AbacPolicy } from './policy'

const READING = ['get', 'list', 'watch']
const ALLOWED: Verdict = { decision: 'allow', reason: '' }
const UNMATCHED: Verdict = { decision: 'noOpinion', reason: 'No policy matched.' }

export function abacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  return {
    authorize: (attributes) =>
      policies.some((policy) => fits(policy, attributes)) ? ALLOWED : UNMATCHED,
    rules: async (user, namespace) => rulesOf(policies, user, namespace),
    holders: (attributes) =>
      policies
        .filter((policy) => covers(policy, attributes))
        .flatMap(({ user, group }) =>
          user === '' && group === '' ? [] : [{ subject: subjectOf(user, group) }],
        ),
  }
}

const subjectOf = (user: string, group: string) =>
  user === ''
    ? { kind: 'Group', name: group }
    : { kind: 'User', name: group === '' ? user : `${user} (${group})` }

const fits = (policy: AbacPolicy, attributes: Attributes): boolean =>
  isAbout(policy, attributes.user) && covers(policy, attributes)

function covers(policy: AbacPolicy, attributes: Omit<Attributes, 'user'>): boolean {
  if (policy.readonly && !READING.includes(attributes.verb)) return false
  if (!attributes.isResource)
    return policy.nonResourcePath !== '' && pathCovers(policy.nonResourcePath, attributes.path)
  // Policies do not distinguish subresources.
  return (
    isOrAll(policy.namespace, attributes.namespace) &&
    isOrAll(policy.resource, attributes.resource) &&
    isOrAll(policy.apiGroup, attributes.group)
  )
}

const isOrAll = (pattern: string, actual: string): boolean => pattern === ALL || pattern === actual

/** With user and group, matches the user only as a member of that group. */
function isAbout({ user, group }: AbacPolicy, asker: UserInfo): boolean {
  if (user === '' && group === '') return false
  return (user === '' || user === asker.name) && (group === '' || asker.groups.includes(group))
}

function rulesOf(policies: readonly AbacPolicy[], user: UserInfo, namespace: string): RuleList {
  const list: RuleList = { resourceRules: [], nonResourceRules: [], incomplete: false }
  for (const policy of policies) {
    if (!isAbout(policy, user) || !isOrAll(policy.namespace, namespace)) continue
    const verbs = policy.readonly ? READING : [ALL]
    if (policy.resource !== '')
      list.resourceRules.push({ verbs, apiGroups: [policy.apiGroup], resources: [policy.resource] })
    if (policy.nonResourcePath !== '')
      list.nonResourceRules.push({ verbs, nonResourceURLs: [policy.nonResourcePath] })
  }
  return list
}
