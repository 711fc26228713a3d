/** Resources of a whole pod (KEP-2837; k8s.io/kubernetes, pkg/apis/core/validation/validation.go). */

import { podLimits, podRequests } from '../../../admission/pod-resources'
import { append } from '../../../core/lists'
import { entryOf } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { canonicalQuantity, compareQuantities, parseQuantity } from '../../../schema/quantity'
import {
  errorsOfItems,
  forbiddenField,
  invalidValue,
  notSupported,
  sinceChange,
} from '../../../validation/field-errors'
import { qualifiedNameProblems } from '../../../validation/names'
import { isPodLevelResource } from '../../../validation/pod-qos'
import type { ResourceAmounts } from '../../../validation/pods'
import { isHugePages } from '../../../validation/resource-names'
import type { PodSpec, Resources } from '../pod-types'
import { claimNameErrors } from './claims'
import type { PodValidationOptions } from './options'
import { resourceRequirementErrors } from './resources'

const SUPPORTED = ['cpu', 'hugepages-', 'memory']

export function podResourceErrors(
  spec: PodSpec,
  path: string,
  { changes }: PodValidationOptions,
): FieldError[] {
  const { resources } = spec
  if (!resources) return []
  const isOlder = !changes.has('PodResourcesRejectedByOs')
  const at = isOlder ? path : `${path}.resources`
  if (!isOlder && spec.os?.name === 'windows')
    return [forbiddenField(at, 'may not be set for a windows pod')]
  return [
    ...(resources.claims ? [claimsError(at)] : []),
    ...resourceRequirementErrors(resources, at, nameErrors),
    ...claimNameErrors(resources.claims, spec, `${at}.claims`),
    ...aggregateErrors(spec, resources, at),
  ]
}

const claimsError = (at: string): FieldError =>
  sinceChange(
    'PodResourcesRejectedByOs',
    forbiddenField(`${at}.claims`, 'claims may not be set for Resources at pod-level'),
    forbiddenField(`${at}.claims`, 'claims cannot be set for Resources at pod-level'),
  )

function nameErrors(field: string, name: string): FieldError[] {
  const problems = qualifiedNameProblems(name)
  if (problems.length > 0) return problems.map((problem) => invalidValue(field, name, problem))
  return isPodLevelResource(name) ? [] : [notSupported(field, name, SUPPORTED)]
}

const exceeds = (amount: string, maximum: string): boolean =>
  compareQuantities(parseQuantity(amount), parseQuantity(maximum)) > 0

/** Containers stay within their pod. */
function aggregateErrors(spec: PodSpec, { requests, limits }: Resources, at: string): FieldError[] {
  const below = (
    kind: 'requests' | 'limits',
    given: ResourceAmounts | undefined,
    sums: ResourceAmounts,
  ): FieldError[] =>
    Object.keys(sums)
      .sort()
      .flatMap((name) => {
        const [sum, own] = [String(entryOf(sums, name)), entryOf(given ?? {}, name)]
        if (own === undefined || !exceeds(sum, String(own))) return []
        const why = `must be greater than or equal to aggregate container ${kind} of ${canonicalQuantity(sum)}`
        return [invalidValue(`${at}.${kind}[${name}]`, canonicalQuantity(String(own)), why)]
      })
  const pages = Object.entries(podLimits(spec)).filter(([name]) => isHugePages(name))
  const errors = below('requests', requests, podRequests(spec))
  append(errors, below('limits', limits, Object.fromEntries(pages)))
  append(
    errors,
    errorsOfItems(spec.containers, ({ resources }, i) =>
      Object.entries(resources?.limits ?? {}).flatMap(([name, limit]) => {
        const own = entryOf(limits ?? {}, name)
        if (own === undefined || !exceeds(limit, own)) return []
        const why = `must be less than or equal to pod limits of ${canonicalQuantity(own)}`
        return [
          invalidValue(`${at}.containers[${i}][${name}].limits`, canonicalQuantity(limit), why),
        ]
      }),
    ),
  )
  return errors
}
