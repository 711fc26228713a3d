/** Rules that differ from a forbidden request in one attribute. */
import type { Attributes, Grounds, NearMiss, Shortfall } from '../authorizer'
import type { Grant, RoleIndex } from './role-index'
import { type PolicyRule, ruleAllows } from './rules'

const MOST = 20
/** The easiest to fix first. */
const ORDER: readonly Shortfall[] = ['role', 'verb', 'name', 'subresource', 'namespace', 'group']

/** At most twenty. */
export function nearMisses(index: RoleIndex, attributes: Attributes): NearMiss[] {
  const found: NearMiss[] = []
  for (const scope of index.namespaces()) {
    const isElsewhere = scope !== '' && scope !== attributes.namespace
    for (const grant of index.grantsOf(attributes.user, scope)) {
      const rules = index.rulesOf(grant.binding.roleRef, scope)
      if (rules === undefined) {
        if (!isElsewhere) found.push({ ...groundsOf(grant), lacks: 'role' })
        continue
      }
      for (const rule of rules) {
        const lacks = isElsewhere
          ? ruleAllows(rule, attributes)
            ? 'namespace'
            : undefined
          : shortfallOf(rule, attributes)
        if (lacks !== undefined) found.push({ ...groundsOf(grant, rule), lacks })
      }
    }
  }
  return found.sort((a, b) => ORDER.indexOf(a.lacks) - ORDER.indexOf(b.lacks)).slice(0, MOST)
}

export function groundsOf({ binding, subject }: Grant, rule?: PolicyRule): Grounds {
  const { name, namespace, roleRef } = binding
  return {
    subject,
    binding: { kind: namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding', name, namespace },
    role: {
      kind: roleRef.kind,
      name: roleRef.name,
      namespace: roleRef.kind === 'Role' ? namespace : '',
    },
    ...(rule === undefined ? {} : { rule }),
  }
}

/** A rule that allows the request with one attribute relaxed lacks that attribute. */
export function shortfallOf(rule: PolicyRule, attributes: Attributes): Shortfall | undefined {
  const [verb = ''] = rule.verbs ?? []
  if (ruleAllows(rule, { ...attributes, verb })) return 'verb'
  if (!attributes.isResource) return undefined
  const [name] = rule.resourceNames ?? []
  if (name !== undefined && ruleAllows(rule, { ...attributes, name })) return 'name'
  const [group] = rule.apiGroups ?? []
  if (group !== undefined && ruleAllows(rule, { ...attributes, group })) return 'group'
  const subresources = (rule.resources ?? []).map((resource) => resource.split('/')[1] ?? '')
  return subresources.some((subresource) => ruleAllows(rule, { ...attributes, subresource }))
    ? 'subresource'
    : undefined
}
