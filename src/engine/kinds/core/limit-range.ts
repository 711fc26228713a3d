/** Rules of LimitRanges. Recorded from kube-apiserver 1.31. */

import { randomUuid } from '../../core/environment'
import { append } from '../../core/lists'
import { entryOf, isJsonObject, type KubeObject, setMember } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { copyExplicitQuantity, explicitQuantity } from '../../schema/explicit-quantities'
import {
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  quantityOf,
  quantityUnits,
} from '../../schema/quantity'
import { repeatsIn } from '../../schema/repeats'
import { duplicate, forbiddenField, invalidValue, required } from '../../validation/field-errors'
import { qualifiedNameProblems } from '../../validation/names'
import { invalidQuantity, roundAmounts } from '../../validation/quantities'
import {
  allowsOvercommit,
  containerResourceErrors,
  resourceNameErrors,
} from '../../validation/resource-names'

type Amounts = Record<string, string>

interface Limit {
  type?: string
  max?: Amounts
  min?: Amounts
  default?: Amounts
  defaultRequest?: Amounts
  maxLimitRequestRatio?: Amounts
}

const AMOUNTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']

interface LimitRange extends KubeObject {
  spec?: { limits?: Limit[] | null }
}

export const limitRangeStrategy: Strategy = {
  allowCreateOnUpdate: true,
  prepareForCreate({ metadata }, { random }) {
    metadata.name ||= randomUuid(random)
  },
  defaults(object) {
    const limits = (object as LimitRange).spec?.limits
    for (const limit of Array.isArray(limits) ? limits.filter(isJsonObject) : []) {
      if (limit.type === 'Container') defaultLimit(limit as Limit)
      for (const member of AMOUNTS) roundAmounts(limit[member])
    }
  },
  validate(object) {
    const limits = (object as LimitRange).spec?.limits ?? []
    const isRepeat = repeatsIn(limits, ({ type }) => type ?? '')
    return limits.flatMap((limit, i) => limitErrors(limit, isRepeat(i), `spec.limits[${i}]`))
  },
}

/** Limits default to the maximum, requests to the limit or the minimum. */
function defaultLimit(limit: Limit): void {
  fill(limit, 'default', limit.max)
  fill(limit, 'defaultRequest', limit.default)
  fill(limit, 'defaultRequest', limit.min)
}

function fill(limit: Limit, member: 'default' | 'defaultRequest', from: Amounts | undefined): void {
  for (const [name, amount] of Object.entries(from ?? {})) {
    limit[member] ??= {}
    if (entryOf(limit[member], name) !== undefined) continue
    setMember(limit[member], name, amount)
    copyExplicitQuantity(from ?? {}, limit[member], name)
  }
}

const TYPES = new Set(['Pod', 'Container', 'PersistentVolumeClaim'])

function limitErrors(limit: Limit, isRepeat: boolean, path: string): FieldError[] {
  const type = limit.type ?? ''
  const nameErrors =
    type === 'Pod' || type === 'Container' ? containerResourceErrors : resourceNameErrors
  const namesOf = (member: keyof Limit) => {
    const names = Object.keys((limit[member] as Amounts | undefined) ?? {})
    return names.sort().flatMap((name) => nameErrors(`${path}.${member}[${name}]`, name))
  }
  const errors = [...typeErrors(`${path}.type`, type)]
  if (isRepeat) errors.push(duplicate(`${path}.type`, type))
  append(errors, namesOf('max'), namesOf('min'))
  for (const member of ['default', 'defaultRequest'] as const) {
    if (type !== 'Pod') append(errors, namesOf(member))
    else if (limit[member] && Object.keys(limit[member]).length > 0)
      errors.push(forbiddenField(`${path}.${member}`, "may not be specified when `type` is 'Pod'"))
  }
  if (
    type === 'PersistentVolumeClaim' &&
    limit.min?.storage === undefined &&
    limit.max?.storage === undefined
  ) {
    errors.push(
      required(
        `${path}.limits`,
        'either minimum or maximum storage value is required, but neither was provided',
      ),
    )
  }
  append(errors, namesOf('maxLimitRequestRatio'))
  const counted = type === 'Pod' ? { ...limit, default: {}, defaultRequest: {} } : limit
  const names = new Set(
    [
      counted.max,
      counted.min,
      counted.default,
      counted.defaultRequest,
      counted.maxLimitRequestRatio,
    ].flatMap(keysOf),
  )
  return [...errors, ...[...names].sort().flatMap((name) => amountErrors(counted, name, path))]
}

const keysOf = (amounts: Amounts | undefined): string[] => Object.keys(amounts ?? {})

function typeErrors(field: string, type: string): FieldError[] {
  const problems = qualifiedNameProblems(type)
  if (problems.length > 0) return problems.map((problem) => invalidValue(field, type, problem))
  if (type.includes('/') || TYPES.has(type)) return []
  return [invalidValue(field, type, 'must be a standard limit type or fully qualified')]
}

/** Two messages print another amount, as in kube-apiserver. */
function amountErrors(limit: Limit, name: string, path: string): FieldError[] {
  const given = (amounts: Amounts | undefined) =>
    amounts === undefined || entryOf(amounts, name) === undefined
      ? undefined
      : explicitQuantity(amounts, name)
  const [max, min] = [given(limit.max), given(limit.min)]
  const [request, limited] = [given(limit.defaultRequest), given(limit.default)]
  const errors: FieldError[] = []
  const inOrder = (
    low: string | undefined,
    high: string | undefined,
    member: string,
    shown: string | undefined,
    words: [string, string],
  ) => {
    if (
      low === undefined ||
      high === undefined ||
      shown === undefined ||
      compareQuantities(parseQuantity(low), parseQuantity(high)) <= 0
    )
      return
    const why = `${words[0]} value ${canonicalQuantity(low)} is greater than ${words[1]} value ${canonicalQuantity(high)}`
    errors.push(invalidQuantity(`${path}.${member}[${name}]`, shown, why))
  }
  inOrder(min, max, 'min', min, ['min', 'max'])
  inOrder(min, request, 'defaultRequest', request, ['min', 'default request'])
  inOrder(request, max, 'defaultRequest', request, ['default request', 'max'])
  inOrder(request, limited, 'defaultRequest', request, ['default request', 'default limit'])
  inOrder(min, limited, 'default', min, ['min', 'default'])
  inOrder(limited, max, 'default', max, ['default', 'max'])
  const ratio = given(limit.maxLimitRequestRatio)
  if (ratio !== undefined)
    append(errors, ratioErrors(ratio, min, max, `${path}.maxLimitRequestRatio[${name}]`))
  if (!allowsOvercommit(name) && limited !== undefined && request !== undefined) {
    if (compareQuantities(parseQuantity(limited), parseQuantity(request)) !== 0) {
      const why = `default value ${canonicalQuantity(limited)} must equal to defaultRequest value ${canonicalQuantity(request)} in ${name}`
      errors.push(invalidQuantity(`${path}.defaultRequest[${name}]`, request, why))
    }
  }
  return errors
}

function ratioErrors(
  ratio: string,
  min: string | undefined,
  max: string | undefined,
  field: string,
): FieldError[] {
  const errors: FieldError[] = []
  const shown = canonicalQuantity(ratio)
  if (compareQuantities(parseQuantity(ratio), quantityOf(1)) < 0)
    errors.push(invalidQuantity(field, ratio, `ratio ${shown} is less than 1`))
  if (min === undefined || max === undefined) return errors
  const [most, least, wanted] = [max, min, ratio].map((text) =>
    Number(quantityUnits(parseQuantity(text), 3)),
  ) as [number, number, number]
  if (wanted / 1000 > most / least) {
    errors.push(
      invalidQuantity(
        field,
        ratio,
        `ratio ${shown} is greater than max/min = ${(most / least).toFixed(6)}`,
      ),
    )
  }
  return errors
}
