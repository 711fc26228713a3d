/** All the ways in which roles allow something, where a decision stops at the first; by the same matcher. */
import type { Question } from '../../authentication/impersonation'
import type { Attributes, Grounds } from '../authorizer'
import { groundsOf } from './near-misses'
import type { Grant, RoleIndex } from './role-index'
import { ruleAllows } from './rules'

const scopesOf = (namespace: string): string[] => (namespace === '' ? [''] : ['', namespace])

/** The user's own ways, in the order in which a decision looks at them. */
export function ownWays(index: RoleIndex, attributes: Attributes): Grounds[] {
  return scopesOf(attributes.namespace).flatMap((scope) =>
    waysOf(index, attributes, scope, index.grantsOf(attributes.user, scope)),
  )
}

/** Everybody's ways: each subject of each binding whose role allows it. */
export function everyWay(index: RoleIndex, asked: Omit<Question, 'user'>): Grounds[] {
  const attributes: Attributes = { ...asked, user: { name: '', groups: [] } }
  return scopesOf(asked.namespace).flatMap((scope) =>
    [...index.bindingsOf(scope)].flatMap((binding) => {
      const grants = binding.subjects.map((subject, place): Grant => ({ binding, subject, place }))
      return waysOf(index, attributes, scope, grants)
    }),
  )
}

function waysOf(
  index: RoleIndex,
  attributes: Attributes,
  scope: string,
  grants: readonly Grant[],
): Grounds[] {
  return grants.flatMap((grant) => {
    const rule = index
      .rulesOf(grant.binding.roleRef, scope)
      ?.find((one) => ruleAllows(one, attributes))
    return rule === undefined ? [] : [groundsOf(grant, rule)]
  })
}

/** Names of objects for which alone the user may do it, where the question names none. */
export function allowedNames(index: RoleIndex, attributes: Attributes): string[] {
  const names = new Set<string>()
  for (const scope of scopesOf(attributes.namespace)) {
    const roles = new Set(
      index
        .grantsOf(attributes.user, scope)
        .map(({ binding }) => index.rulesOf(binding.roleRef, scope)),
    )
    for (const rules of roles) {
      for (const rule of rules ?? []) {
        for (const name of rule.resourceNames ?? [])
          if (ruleAllows(rule, { ...attributes, name })) names.add(name)
      }
    }
  }
  return [...names].sort()
}
