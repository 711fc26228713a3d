/** Validates the resource rules of policies and webhooks. Recorded from kube-apiserver 1.31. */

import type { FieldError } from '../../http/status'
import type { MatchResources, Rule } from '../../policy/objects'
import { repeatsIn } from '../../schema/repeats'
import { duplicate, invalidValue, notSupported, required } from '../../validation/field-errors'
import { invalidList, invalidTypedList } from '../../validation/go-literal'
import { labelSelectorErrors } from '../../validation/label-selectors'
import { pathSegment } from '../../validation/names'

const ANY = '*'
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const SCOPES = ['*', 'Cluster', 'Namespaced']
export const MATCH_POLICIES = ['Equivalent', 'Exact']
export const FAILURE_POLICIES = ['Fail', 'Ignore']

export function supportedErrors(
  value: string | undefined,
  supported: readonly string[],
  path: string,
): FieldError[] {
  return value === undefined || supported.includes(value)
    ? []
    : [notSupported(path, value, supported)]
}

const crowded = (list: readonly string[]): boolean => list.length > 1 && list.includes(ANY)

export function ruleErrors(rule: Rule, path: string): FieldError[] {
  const { operations, apiGroups, apiVersions, resources, scope } = rule
  return [
    ...operationErrors(operations ?? [], `${path}.operations`),
    ...listErrors(apiGroups ?? [], `${path}.apiGroups`, 'API groups'),
    ...listErrors(apiVersions ?? [], `${path}.apiVersions`, 'API versions'),
    ...(apiVersions ?? []).flatMap((version, i) =>
      version === '' ? [required(`${path}.apiVersions[${i}]`)] : [],
    ),
    ...resourceErrors(resources ?? [], `${path}.resources`),
    ...supportedErrors(scope, SCOPES, `${path}.scope`),
  ]
}

function operationErrors(operations: readonly string[], path: string): FieldError[] {
  if (operations.length === 0) return [required(path)]
  const why = `if '${ANY}' is present, must not specify other operations`
  return [
    ...(crowded(operations)
      ? [invalidTypedList(path, 'admissionregistration.OperationType', operations, why)]
      : []),
    ...operations.flatMap((operation, i) =>
      supportedErrors(operation, OPERATIONS, `${path}[${i}]`),
    ),
  ]
}

function listErrors(list: readonly string[], path: string, what: string): FieldError[] {
  if (list.length === 0) return [required(path)]
  return crowded(list)
    ? [invalidList(path, list, `if '${ANY}' is present, must not specify other ${what}`)]
    : []
}

/** Reports a covered pattern at the later of the two. */
function resourceErrors(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [required(path)]
  const errors: FieldError[] = []
  const wholly = new Set<string>()
  const everywhere = new Set<string>()
  let lastIsWhole = false
  resources.forEach((pattern, i) => {
    if (pattern === '') {
      errors.push(required(`${path}[${i}]`))
      return
    }
    const slash = pattern.indexOf('/')
    if (slash < 0) {
      // As in kube-apiserver, only the last resource without subresource counts.
      lastIsWhole = pattern !== ANY
      return
    }
    const [resource, subresource] = [pattern.slice(0, slash), pattern.slice(slash + 1)]
    const covered = (by: string) =>
      invalidValue(`${path}[${i}]`, pattern, `if '${by}' is present, must not specify ${pattern}`)
    if (wholly.has(resource)) errors.push(covered(`${resource}/${ANY}`))
    if (everywhere.has(subresource)) errors.push(covered(`${ANY}/${subresource}`))
    if (subresource === ANY) wholly.add(resource)
    if (resource === ANY) everywhere.add(subresource)
  })
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(
      invalidList(path, resources, "if '*/*' is present, must not specify other resources"),
    )
  if (resources.includes(ANY) && lastIsWhole)
    errors.push(
      invalidList(
        path,
        resources,
        `if '${ANY}' is present, must not specify other resources without subresources`,
      ),
    )
  return errors
}

function namedRuleErrors(rule: Rule, path: string): FieldError[] {
  const names = rule.resourceNames ?? []
  const isRepeat = repeatsIn(names)
  return [
    ...names.flatMap((name, i) => {
      const at = `${path}.resourceNames[${i}]`
      const problems = pathSegment(name, false).map((problem) => invalidValue(at, name, problem))
      return isRepeat(i) ? [...problems, duplicate(at, name)] : problems
    }),
    ...ruleErrors(rule, path),
  ]
}

export function matchResourcesErrors(match: MatchResources, path: string): FieldError[] {
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules, excludeResourceRules } =
    match
  return [
    ...supportedErrors(matchPolicy, MATCH_POLICIES, `${path}.matchPolicy`),
    ...labelSelectorErrors(namespaceSelector, `${path}.namespaceSelector`),
    ...labelSelectorErrors(objectSelector, `${path}.objectSelector`),
    ...(resourceRules ?? []).flatMap((rule, i) =>
      namedRuleErrors(rule, `${path}.resourceRules[${i}]`),
    ),
    ...(excludeResourceRules ?? []).flatMap((rule, i) =>
      namedRuleErrors(rule, `${path}.excludeResourceRules[${i}]`),
    ),
  ]
}
