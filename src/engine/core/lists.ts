/** Spread arguments overflow the stack at some 100,000 items. */

export function append<Item>(list: Item[], ...added: readonly Iterable<Item>[]): void {
  for (const items of added) for (const item of items) list.push(item)
}

/** @returns at most `bound` */
export function smallest(values: Iterable<number>, bound = Number.POSITIVE_INFINITY): number {
  let least = bound
  for (const value of values) least = Math.min(least, value)
  return least
}

/** @returns at least `bound` */
export function largest(values: Iterable<number>, bound = Number.NEGATIVE_INFINITY): number {
  let most = bound
  for (const value of values) most = Math.max(most, value)
  return most
}

export function addToGroup<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}
