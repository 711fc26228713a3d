/** `--sort-by` */

import type { Json } from '../../engine/core/object'
import type { JsonPathTemplate } from '../../engine/encoding/json-path-template'
import { compareQuantities, parseQuantity } from '../../engine/schema/quantity'
import { CommandError } from '../errors'
import { relaxedPath, relaxedText } from './custom-columns'

/**
 * Sorts by the path's first value. Items without one come first, the last of them at the front, as
 * in kubectl.
 * @param objectOf returns an item's object
 * @throws CommandError if no item has a value
 */
export function sortedBy<Item>(
  items: readonly Item[],
  field: string,
  objectOf: (item: Item) => Json,
): Item[] {
  const path = relaxedPath(field)
  const keyed = items.map((item, at) => ({ item, at, key: firstOf(path, objectOf(item)) }))
  if (keyed.length > 0 && keyed.every(({ key }) => key === undefined)) {
    throw new CommandError(
      `couldn't find any field with path ${JSON.stringify(relaxedText(field))} in the list of objects`,
    )
  }
  return keyed
    .sort((a, b) => compare(a.key, b.key) || (a.key === undefined ? b.at - a.at : 0))
    .map(({ item }) => item)
}

const firstOf = (path: JsonPathTemplate, value: Json): Json | undefined => path.find(value)[0]?.[0]

function compare(a: Json | undefined, b: Json | undefined): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined)
  return less(a, b) ? -1 : less(b, a) ? 1 : 0
}

/**
 * Numbers, quantities by value, strings by code point. @throws CommandError for values without an
 * order
 */
function less(a: Json, b: Json): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b
  if (typeof a === 'string' && typeof b === 'string') {
    const [left, right] = [quantity(a), quantity(b)]
    return left !== undefined && right !== undefined ? compareQuantities(left, right) < 0 : a < b
  }
  if (a === null || b === null) return a === null && b !== null
  throw new CommandError(
    `unsortable type: ${typeof a === 'object' ? (Array.isArray(a) ? '[]interface {}' : 'map[string]interface {}') : typeof a}`,
  )
}

function quantity(text: string) {
  try {
    return parseQuantity(text)
  } catch {
    return undefined
  }
}
