/** Texts recorded from kube-apiserver 1.31. */

import type { FieldError } from '../http/status'
import { repeatsIn } from '../schema/repeats'
import { duplicate, overlong } from './field-errors'

export interface SetRule<Item> {
  longest: number
  errors(item: Item, path: string): FieldError[]
  /** Absent: permits duplicates. */
  key?(item: Item): string
  /** In the path of a duplicate. */
  member?: string
}

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
