/**
 * Lists of any length. Spreading a list into a call puts its items on the stack, which overflows at
 * some 100,000 items.
 */

/** Adds the items of the lists to the end of the first. */
export function append<Item>(list: Item[], ...added: readonly Iterable<Item>[]): void {
  for (const items of added) for (const item of items) list.push(item)
}

/** @returns the minimum of the values and `bound` */
export function smallest(values: Iterable<number>, bound = Number.POSITIVE_INFINITY): number {
  let least = bound
  for (const value of values) least = Math.min(least, value)
  return least
}

/** @returns the greatest of the values and `bound`; `bound` if there are none */
export function largest(values: Iterable<number>, bound = Number.NEGATIVE_INFINITY): number {
  let most = bound
  for (const value of values) most = Math.max(most, value)
  return most
}

/** Adds an item to the list of its key, which is created if absent. */
export function addToGroup<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}
