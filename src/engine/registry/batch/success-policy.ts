/** When an indexed job counts as done before all its indexes are (rules and texts recorded; the rest from public documentation). */
import type { FieldError } from '../../http/status'
import { goQuote } from '../../schema/go-text'
import { invalidValue, required, tooLong, tooMany } from '../field-errors'
import { notNegative } from '../rules/numbers'
import type { SuccessRule } from './job-types'

const MAX_RULES = 20
const MAX_INDEXES_BYTES = 64 * 1024

export function successPolicyErrors(rules: SuccessRule[], completions: number, path: string): FieldError[] {
  if (rules.length === 0) return [required(path, 'at least one rules must be specified when the successPolicy is specified')]
  const errors = rules.length > MAX_RULES ? [tooMany(path, rules.length, MAX_RULES)] : []
  return [...errors, ...rules.flatMap((rule, i) => ruleErrors(rule, completions, `${path}[${i}]`))]
}

function ruleErrors({ succeededCount: count, succeededIndexes: indexes }: SuccessRule, completions: number, path: string): FieldError[] {
  if (count === undefined && indexes === undefined)
    return [required(path, 'at least one of succeededCount or succeededIndexes must be specified')]
  const errors: FieldError[] = []
  const named = indexes === undefined ? undefined : countIndexes(indexes, completions)
  if (indexes !== undefined) {
    if (indexes.length > MAX_INDEXES_BYTES) errors.push(tooLong(`${path}.succeededIndexes`, MAX_INDEXES_BYTES))
    if (typeof named === 'string')
      errors.push(invalidValue(`${path}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${named}`))
  }
  if (count === undefined) return errors
  errors.push(...notNegative(`${path}.succeededCount`, count))
  const most = 'must be less than or equal to'
  if (count > completions)
    errors.push(invalidValue(`${path}.succeededCount`, count, `${most} ${completions} (the number of specified completions)`))
  if (typeof named === 'number' && count > named) {
    const why = `${most} ${named} (the number of indexes in the specified succeededIndexes field)`
    errors.push(invalidValue(`${path}.succeededCount`, count, why))
  }
  return errors
}

/** `0-2,5`: ranges in ascending order. @returns how many indexes they name, or what is wrong with them */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0
  let last: number | undefined
  let total = 0
  for (const fragment of text.split(',')) {
    const limits = fragment.split('-')
    if (limits.length > 2)
      return `the fragment ${goQuote(fragment)} violates the requirement that an index interval can have at most two parts separated by '-'`
    let first: number | undefined
    for (const limit of limits) {
      if (!/^[+-]?\d+$/.test(limit)) return `cannot convert string to integer for index: ${goQuote(limit)}`
      const index = Number(limit)
      if (index >= completions) return `too large index: ${goQuote(limit)}`
      if (last !== undefined && last >= index) return `non-increasing order, previous: ${last}, current: ${index}`
      total += first === undefined ? 1 : index - first
      first ??= index
      last = index
    }
  }
  return total
}
