/** Lists of parts that are each told apart by something (texts recorded). */

import type { FieldError } from '../../http/status'
import { repeatsIn } from '../../schema/repeats'
import { duplicate, overlong } from '../field-errors'

export interface SetRule<Item> {
  longest: number
  /** What is wrong with one item at its path. */
  errors(item: Item, path: string): FieldError[]
  /** What tells items apart; absent: two may be alike. */
  key?(item: Item): string
  /** The member that it is, for the path of a repeated one; empty for the item itself. */
  member?: string
}

/** What is wrong with every item comes first, then that there are too many, then which are repeated. */
export function setErrors<Item>(
  items: readonly Item[] | undefined | null,
  path: string,
  rule: SetRule<Item>,
): FieldError[] {
  const { longest, errors, key, member = '' } = rule
  const list = items ?? []
  const keys = key === undefined ? [] : list.map(key)
  const isRepeat = repeatsIn(keys)
  const repeated = keys.flatMap((value, i) =>
    isRepeat(i) ? [duplicate(`${path}[${i}]${member === '' ? '' : `.${member}`}`, value)] : [],
  )
  return [
    ...list.flatMap((item, i) => errors(item, `${path}[${i}]`)),
    ...(list.length > longest ? [overlong(path, longest)] : []),
    ...repeated,
  ]
}
