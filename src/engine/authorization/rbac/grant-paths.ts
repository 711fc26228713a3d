/** All grants that allow a request; a decision stops at the first. */
import type { AttributesRecord } from '../../authentication/impersonation'
import type { Attributes, Grounds } from '../authorizer'
import { groundsOf } from './near-misses'
import type { Grant, RoleIndex } from './role-index'
import { ruleAllows } from './rules'

const scopesOf = (namespace: string): string[] => (namespace === '' ? [''] : ['', namespace])

export function grantPathsOf(index: RoleIndex, attributes: Attributes): Grounds[] {
  return scopesOf(attributes.namespace).flatMap((scope) =>
    grantPathsIn(index, attributes, scope, index.grantsOf(attributes.user, scope)),
  )
}

export function allGrantPaths(
  index: RoleIndex,
  requested: Omit<AttributesRecord, 'user'>,
): Grounds[] {
  const attributes: Attributes = { ...requested, user: { name: '', groups: [] } }
  return scopesOf(requested.namespace).flatMap((scope) =>
    [...index.bindingsOf(scope)].flatMap((binding) => {
      const grants = binding.subjects.map((subject, place): Grant => ({ binding, subject, place }))
      return grantPathsIn(index, attributes, scope, grants)
    }),
  )
}

function grantPathsIn(
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

/** Resource names to which the permission is restricted. */
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
