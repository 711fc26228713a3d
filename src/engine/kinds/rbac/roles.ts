/** Rules of roles. Recorded from kube-apiserver 1.31. */
import type { PolicyRule } from '../../authorization/rbac/rules'
import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { invalidValue, required } from '../../validation/field-errors'
import { invalidList } from '../../validation/go-literal'
import { type LabelSelectorObject, labelSelectorErrors } from '../../validation/label-selectors'
import { pathSegment } from '../../validation/names'
import { checkRoleGrant } from './escalation'

export interface RoleObject extends KubeObject {
  rules?: PolicyRule[] | null
  aggregationRule?: { clusterRoleSelectors?: LabelSelectorObject[] }
}

function ruleErrors(rule: PolicyRule, path: string, namespaced: boolean): FieldError[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const errors: FieldError[] = []
  if (!verbs?.length)
    errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'))
  if (nonResourceURLs.length > 0) {
    const reject = (why: string) =>
      errors.push(invalidList(`${path}.nonResourceURLs`, nonResourceURLs, why))
    if (namespaced) reject('namespaced rules cannot apply to non-resource URLs')
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0)
      reject('rules cannot apply to both regular resources and non-resource URLs')
    return errors
  }
  if (apiGroups.length === 0)
    errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'))
  if (resources.length === 0)
    errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'))
  return errors
}

function aggregationErrors({ aggregationRule }: RoleObject): FieldError[] {
  if (!aggregationRule) return []
  const path = 'aggregationRule.clusterRoleSelectors'
  const selectors = aggregationRule.clusterRoleSelectors ?? []
  if (selectors.length === 0)
    return [
      required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'),
    ]
  return selectors.flatMap((selector, i) => {
    const errors = labelSelectorErrors(selector, `${path}[${i}]`)
    // An unparsable selector prints as its parse result.
    return errors.length === 0
      ? []
      : [...errors, invalidValue(`${path}[${i}]`, null, 'invalid label selector.')]
  })
}

const rulesErrors = (object: KubeObject, namespaced: boolean): FieldError[] =>
  ((object as RoleObject).rules ?? []).flatMap((rule, i) =>
    ruleErrors(rule, `rules[${i}]`, namespaced),
  )

export const role: Strategy = {
  nameRule: pathSegment,
  allowCreateOnUpdate: true,
  checkGrant: checkRoleGrant,
  validate: (object) => rulesErrors(object, true),
}

export const clusterRole: Strategy = {
  nameRule: pathSegment,
  allowCreateOnUpdate: true,
  checkGrant: checkRoleGrant,
  validate: (object) => [...rulesErrors(object, false), ...aggregationErrors(object as RoleObject)],
}
