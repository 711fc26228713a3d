/** Lists of any length. Spreading one into a call puts its items on the stack, which ends at some 100,000 of them. */

/** Adds the items of the lists to the end of the first. */
export function append<Item>(list: Item[], ...added: readonly Iterable<Item>[]): void {
  for (const items of added) for (const item of items) list.push(item)
}
