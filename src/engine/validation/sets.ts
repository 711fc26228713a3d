/** Validation of lists that are sets. Texts recorded from kube-apiserver 1.31. */

import type { FieldError } from '../http/status'
import { repeatsIn } from '../schema/repeats'
import { duplicate, overlong } from './field-errors'

export interface SetRule<Item> {
  longest: number
  errors(item: Item, path: string): FieldError[]
  /** The key of an item; absent: duplicates are allowed. */
  key?(item: Item): string
  /** The member of the key, for the path of a duplicate; empty for the item itself. */
  member?: string
}

/** Order of errors: those of items, the size of the list, duplicates. */
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
