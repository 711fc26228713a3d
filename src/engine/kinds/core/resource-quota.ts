/** Rules of ResourceQuotas. Recorded from kube-apiserver 1.31. */

import { entryOf, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { explicitList } from '../../schema/explicit-empties'
import { explicitQuantity } from '../../schema/explicit-quantities'
import { lazy } from '../../schema/lazy'
import { invalidValue, required } from '../../validation/field-errors'
import { invalidList, invalidStructure, invalidTypedList } from '../../validation/go-literal'
import { resourceQuantityErrors, roundAmounts } from '../../validation/quantities'
import { isQuotaResource, quotaResourceErrors } from '../../validation/resource-names'

interface ScopeRequirement {
  scopeName?: string
  operator?: string
  values?: string[]
}

interface Spec {
  hard?: Record<string, string>
  scopes?: string[]
  scopeSelector?: { matchExpressions?: ScopeRequirement[] }
}

interface ResourceQuota extends KubeObject {
  spec?: Spec
  status?: { hard?: Record<string, string>; used?: Record<string, string> }
}

export const resourceQuotaStrategy: Strategy = {
  defaults(object) {
    const { spec, status } = object as ResourceQuota
    for (const amounts of [spec?.hard, status?.hard, status?.used]) roundAmounts(amounts)
  },
  serverOwned: ['status'],
  prepareForCreate(object) {
    object.status = {}
  },
  validate: (object) => specErrors((object as ResourceQuota).spec ?? {}),
  validateUpdate(object, old) {
    const { spec = {} } = object as ResourceQuota
    const now = new Set(spec.scopes)
    const before = new Set((old as ResourceQuota).spec?.scopes)
    const same = now.size === before.size && [...now].every((scope) => before.has(scope))
    return same ? [] : [invalidScopes(explicitList(spec, 'scopes'), 'field is immutable')]
  },
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate(object) {
      const { hard, used } = (object as ResourceQuota).status ?? {}
      return [...amountErrors('status.hard', hard), ...amountErrors('status.used', used)]
    },
  },
}

function specErrors(spec: Spec): FieldError[] {
  return [...amountErrors('spec.hard', spec.hard), ...scopeErrors(spec), ...selectorErrors(spec)]
}

function amountErrors(path: string, amounts: Record<string, string> = {}): FieldError[] {
  return Object.keys(amounts)
    .sort()
    .flatMap((name) => {
      const field = `${path}[${name}]`
      return [
        ...quotaResourceErrors(field, name),
        ...resourceQuantityErrors(field, name, explicitQuantity(amounts, name)),
      ]
    })
}

const COMPUTE = new Set([
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
])

/** An unknown scope supports all. */
const NARROWS: Record<string, (entry: string) => boolean> = {
  BestEffort: (entry) => entry === 'pods',
  NotBestEffort: countsPods,
  Terminating: countsPods,
  NotTerminating: countsPods,
  PriorityClass: countsPods,
  CrossNamespacePodAffinity: countsPods,
}

const CONTRADICTING = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
]

function countsPods(entry: string): boolean {
  return entry === 'pods' || COMPUTE.has(entry)
}

const NOT_APPLIED = 'unsupported scope applied to resource'

/** Counts the resources that a scope does not support, once for each scope. */
function notNarrowedBy({ hard = {} }: Spec): (scope: string) => number {
  const counts = new Map<string, number>()
  const resources = lazy(() => Object.keys(hard).filter(isQuotaResource))
  return (scope) => {
    const known = counts.get(scope)
    if (known !== undefined) return known
    const narrows = entryOf(NARROWS, scope)
    const count = narrows === undefined ? 0 : resources().filter((entry) => !narrows(entry)).length
    counts.set(scope, count)
    return count
  }
}

function contradicting(scopes: string[]): string[][] {
  return CONTRADICTING.filter((pair) => pair.every((scope) => scopes.includes(scope)))
}

function scopeErrors(spec: Spec): FieldError[] {
  const scopes = spec.scopes ?? []
  // All errors quote all scopes: compute the text once.
  const unsupported = lazy(() => invalidScopes(scopes, 'unsupported scope'))
  const notApplied = lazy(() => invalidScopes(scopes, NOT_APPLIED))
  const timesNotApplied = notNarrowedBy(spec)
  const errors: FieldError[] = []
  for (const scope of scopes) {
    if (entryOf(NARROWS, scope) === undefined) {
      errors.push(unsupported())
      continue
    }
    const times = timesNotApplied(scope)
    if (times > 0) errors.push({ ...notApplied(), times })
  }
  return errors.concat(contradicting(scopes).map(() => invalidScopes(scopes, 'conflicting scopes')))
}

function invalidScopes(scopes: string[] | undefined, why: string): FieldError {
  return invalidTypedList('spec.scopes', 'core.ResourceQuotaScope', scopes, why)
}

const ONLY_EXISTS =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
const SELECTOR = 'spec.scopeSelector.matchExpressions'

function selectorErrors(spec: Spec): FieldError[] {
  const requirements = spec.scopeSelector?.matchExpressions ?? []
  // Each error quotes the whole selector: compute the text once.
  const notApplied = lazy(() =>
    invalidStructure(SELECTOR, 'ScopeSelector', spec.scopeSelector, NOT_APPLIED),
  )
  const timesNotApplied = notNarrowedBy(spec)
  return [
    ...requirements.flatMap((requirement) => {
      const { scopeName = '', operator = '' } = requirement
      const known = entryOf(NARROWS, scopeName) !== undefined
      const times = timesNotApplied(scopeName)
      return [
        ...(known ? [] : [invalidValue(`${SELECTOR}.scopeName`, scopeName, 'unsupported scope')]),
        ...(times > 0 ? [{ ...notApplied(), times }] : []),
        ...(known && scopeName !== 'PriorityClass' && operator !== 'Exists'
          ? [invalidValue(`${SELECTOR}.operator`, operator, ONLY_EXISTS)]
          : []),
        ...operatorErrors(requirement),
      ]
    }),
    // Without operators, as in kube-apiserver.
    ...contradicting(requirements.map(({ scopeName = '' }) => scopeName)).map(() => ({
      ...invalidScopes(spec.scopes, 'conflicting scopes'),
      field: SELECTOR,
    })),
  ]
}

function operatorErrors({ operator = '', values = [] }: ScopeRequirement): FieldError[] {
  const field = `${SELECTOR}.values`
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [
            required(
              field,
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ]
    case 'Exists':
    case 'DoesNotExist': {
      if (values.length === 0) return []
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
      return [invalidList(field, values, why)]
    }
    default:
      return [invalidValue(`${SELECTOR}.operator`, operator, 'not a valid selector operator')]
  }
}
