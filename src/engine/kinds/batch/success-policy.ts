/** Recorded from kube-apiserver 1.31; others from kubernetes.io, "Jobs", "Success policy". */

import { append } from '../../core/lists'
import type { FieldError } from '../../http/status'
import { goQuote } from '../../schema/go-text'
import { invalidValue, required, tooLong, tooMany } from '../../validation/field-errors'
import { notNegative } from '../../validation/numbers'
import type { SuccessRule } from './job-types'

const MAX_RULES = 20
const MAX_INDEXES_BYTES = 64 * 1024

export function successPolicyErrors(
  rules: SuccessRule[],
  completions: number,
  path: string,
): FieldError[] {
  if (rules.length === 0)
    return [
      required(path, 'at least one rules must be specified when the successPolicy is specified'),
    ]
  const errors = rules.length > MAX_RULES ? [tooMany(path, rules.length, MAX_RULES)] : []
  return [...errors, ...rules.flatMap((rule, i) => ruleErrors(rule, completions, `${path}[${i}]`))]
}

function ruleErrors(
  { succeededCount: count, succeededIndexes: indexes }: SuccessRule,
  completions: number,
  path: string,
): FieldError[] {
  if (count === undefined && indexes === undefined)
    return [required(path, 'at least one of succeededCount or succeededIndexes must be specified')]
  const errors: FieldError[] = []
  const named = indexes === undefined ? undefined : countIndexes(indexes, completions)
  if (indexes !== undefined) {
    if (indexes.length > MAX_INDEXES_BYTES)
      errors.push(tooLong(`${path}.succeededIndexes`, MAX_INDEXES_BYTES))
    if (typeof named === 'string')
      errors.push(
        invalidValue(
          `${path}.succeededIndexes`,
          indexes,
          `error parsing succeededIndexes: ${named}`,
        ),
      )
  }
  if (count === undefined) return errors
  append(errors, notNegative(`${path}.succeededCount`, count))
  const most = 'must be less than or equal to'
  if (count > completions)
    errors.push(
      invalidValue(
        `${path}.succeededCount`,
        count,
        `${most} ${completions} (the number of specified completions)`,
      ),
    )
  // Malformed indexes count as none.
  const listed = typeof named === 'string' ? 0 : named
  if (listed !== undefined && count > listed) {
    const why = `${most} ${listed} (the number of indexes in the specified succeededIndexes field)`
    errors.push(invalidValue(`${path}.succeededCount`, count, why))
  }
  return errors
}

/** `0-2,5`, ascending. @returns a string for an error */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0
  let last: number | undefined
  let total = 0
  for (const fragment of text.split(',')) {
    const range = readRange(fragment, completions)
    if (typeof range === 'string') return range
    const [first, end] = range
    if (last !== undefined && last >= first) return notIncreasing(last, first)
    total += end - first + 1
    last = end
  }
  return total
}

const notIncreasing = (previous: number, current: number): string =>
  `non-increasing order, previous: ${previous}, current: ${current}`

/** `5` or `0-2`. @returns first and last */
export function readRange(
  fragment: string,
  completions: number,
): [first: number, last: number] | string {
  const limits = fragment.split('-')
  if (limits.length > 2)
    return `the fragment ${goQuote(fragment)} violates the requirement that an index interval can have at most two parts separated by '-'`
  for (const limit of limits) {
    if (!/^[+-]?\d+$/.test(limit))
      return `cannot convert string to integer for index: ${goQuote(limit)}`
    if (Number(limit) >= completions) return `too large index: ${goQuote(limit)}`
  }
  const [first = 0, last] = limits.map(Number)
  if (last === undefined) return [first, first]
  return first >= last ? notIncreasing(first, last) : [first, last]
}
