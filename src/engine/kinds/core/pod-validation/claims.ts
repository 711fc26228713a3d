/** Validates the resource claims of a Pod. Recorded from kube-apiserver 1.31. */

import type { FieldError } from '../../../http/status'
import { repeatsIn } from '../../../schema/repeats'
import {
  duplicate,
  errorsOfItems,
  invalidValue,
  required,
  sinceChange,
} from '../../../validation/field-errors'
import { invalidStructure } from '../../../validation/go-literal'
import { dnsLabelProblems, dnsSubdomainProblems } from '../../../validation/names'
import { containersOf, type PodSpec, type ResourceClaim, type Resources } from '../pod-types'

export function podClaimErrors(claims: readonly ResourceClaim[], path: string): FieldError[] {
  const names = claims.map(({ name = '' }) => name)
  const isRepeat = repeatsIn(names)
  return claims.flatMap((claim, i) => {
    const at = `${path}[${i}]`
    const name = names[i] ?? ''
    const own =
      name === ''
        ? [required(`${at}.name`)]
        : dnsLabelProblems(name).map((problem) => invalidValue(`${at}.name`, name, problem))
    return [
      ...own,
      ...(isRepeat(i) ? [duplicate(`${at}.name`, name)] : []),
      ...sourceErrors(claim, at),
    ]
  })
}

const SOURCES = ['resourceClaimName', 'resourceClaimTemplateName'] as const

function sourceErrors(claim: ResourceClaim, path: string): FieldError[] {
  const given = SOURCES.filter((source) => claim[source] !== undefined)
  const whole = (why: string) => invalidStructure(path, 'PodResourceClaim', claim, why)
  if (given.length === 0)
    return [whole('must specify one of: `resourceClaimName`, `resourceClaimTemplateName`')]
  if (given.length > 1)
    return [
      whole('at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'),
    ]
  return given.flatMap((source) =>
    dnsSubdomainProblems(claim[source] ?? '').map((problem) =>
      invalidValue(`${path}.${source}`, claim[source], problem),
    ),
  )
}

/** Claims of the pod, each once. */
export function containerClaimErrors(spec: PodSpec, path: string): FieldError[] {
  return errorsOfItems(containersOf(spec, path), ({ container, path: at }) =>
    claimNameErrors(container.resources?.claims, spec, `${at}.resources.claims`),
  )
}

type UsedClaims = NonNullable<Resources['claims']>

/** A claim as a whole includes its requests. */
export function claimNameErrors(
  claims: UsedClaims | null | undefined,
  spec: PodSpec,
  path: string,
): FieldError[] {
  const known = (spec.resourceClaims ?? []).map(({ name = '' }) => name)
  const whole = new Set<string>()
  /** The requests of claims that are not used as a whole. */
  const parts = new Map<string, Set<string>>()
  return errorsOfItems(claims, ({ name = '', request = '' }, i) => {
    const field = `${path}[${i}]`
    if (name === '') return [required(field)]
    const errors: FieldError[] = []
    const requests = parts.get(name) ?? new Set<string>()
    if (whole.has(name)) errors.push(duplicate(field, name))
    else if (request === '') {
      for (const _ of requests) errors.push(duplicate(field, name))
      whole.add(name)
    } else {
      for (const problem of dnsLabelProblems(request))
        errors.push(invalidValue(`${field}.request`, request, problem))
      if (requests.has(request)) errors.push(duplicate(field, `${name}/${request}`))
      parts.set(name, requests.add(request))
    }
    if (!known.includes(name)) errors.push(unknownClaim(field, name, known))
    return errors
  })
}

function unknownClaim(field: string, name: string, known: string[]): FieldError {
  const names = [...new Set(known)].sort().join(', ')
  const where = 'must be one of the names in pod.spec.resourceClaims'
  const error = (why: string): FieldError => ({
    field,
    reason: 'FieldValueNotFound',
    detail: `Not found: ${JSON.stringify(name)}: ${why}`,
  })
  const before = error(`${where}: ${names}`)
  return known.length > 0
    ? before
    : sinceChange('MissingClaimsNamedEmpty', error(`${where} which is empty`), before)
}
