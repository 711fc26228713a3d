/**
 * Finds repeated keys in linear time.
 * @returns whether the item at an index has the key of an earlier one
 */
export function repeatsIn<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown = (item) => item,
): (index: number) => boolean {
  const seen = new Set<unknown>()
  const repeated = new Set<number>()
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    if (seen.has(key)) repeated.add(index)
    else seen.add(key)
  }
  return (index) => repeated.has(index)
}
