/** Validates requests and limits. Recorded from kube-apiserver 1.31. */

import { append } from '../../../core/lists'
import { entryOf } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { explicitQuantity } from '../../../schema/explicit-quantities'
import {
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  quantityUnits,
} from '../../../schema/quantity'
import { forbiddenField, invalidValue, required } from '../../../validation/field-errors'
import { resourceQuantityErrors } from '../../../validation/quantities'
import {
  allowsOvercommit,
  containerResourceErrors,
  isHugePages,
} from '../../../validation/resource-names'
import type { Resources } from '../pod-types'

type NameErrors = (field: string, name: string) => readonly FieldError[]

export const containerResourceRequirementErrors = (
  resources: Resources,
  path: string,
): FieldError[] => resourceRequirementErrors(resources, path, containerResourceErrors)

export function resourceRequirementErrors(
  resources: Resources,
  path: string,
  nameErrors: NameErrors,
): FieldError[] {
  const { limits = {}, requests = {} } = resources
  const errors: FieldError[] = []
  for (const name of Object.keys(limits).sort()) {
    const field = `${path}.limits[${name}]`
    append(errors, amountErrors(limits, name, field, nameErrors), pageErrors(limits, name, field))
  }
  for (const name of Object.keys(requests).sort()) {
    const field = `${path}.requests[${name}]`
    append(
      errors,
      amountErrors(requests, name, field, nameErrors),
      requestErrors(entryOf(requests, name) ?? '0', entryOf(limits, name), name, path),
    )
    append(errors, pageErrors(requests, name, field))
  }
  const has = (name: string) => Object.hasOwn(limits, name) || Object.hasOwn(requests, name)
  if (
    !has('cpu') &&
    !has('memory') &&
    [...Object.keys(limits), ...Object.keys(requests)].some(isHugePages)
  )
    errors.push(forbiddenField(path, 'HugePages require cpu or memory'))
  return errors
}

const amountErrors = (
  amounts: Record<string, string>,
  name: string,
  field: string,
  nameErrors: NameErrors,
): FieldError[] => [
  ...nameErrors(field, name),
  ...resourceQuantityErrors(field, name, explicitQuantity(amounts, name)),
]

/** Whole pages. */
function pageErrors(amounts: Record<string, string>, name: string, field: string): FieldError[] {
  const text = explicitQuantity(amounts, name)
  if (!isHugePages(name) || isWholePages(name, text)) return []
  const shown = canonicalQuantity(text)
  return [invalidValue(field, shown, `${shown} is not positive integer multiple of ${name}`)]
}

const HUGE_PAGE_SIZE = /^[0-9.]+(?:(?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/

function isWholePages(name: string, text: string): boolean {
  const size = name.slice('hugepages-'.length)
  if (!HUGE_PAGE_SIZE.test(size)) return false
  const [amount, page] = [
    quantityUnits(parseQuantity(text), 0),
    quantityUnits(parseQuantity(size), 0),
  ]
  return page > 0n && amount % page === 0n
}

/** At most the limit; equal without overcommit. */
function requestErrors(
  request: string,
  limit: string | undefined,
  name: string,
  path: string,
): FieldError[] {
  if (limit === undefined)
    return allowsOvercommit(name)
      ? []
      : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')]
  const order = compareQuantities(parseQuantity(request), parseQuantity(limit))
  const why = `${name} limit of ${canonicalQuantity(limit)}`
  if (order !== 0 && !allowsOvercommit(name))
    return [invalidValue(`${path}.requests`, canonicalQuantity(request), `must be equal to ${why}`)]
  return order > 0
    ? [
        invalidValue(
          `${path}.requests`,
          canonicalQuantity(request),
          `must be less than or equal to ${why}`,
        ),
      ]
    : []
}
