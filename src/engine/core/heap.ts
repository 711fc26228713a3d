export interface HeapEntry<Item> {
  readonly item: Item
  /** -1 after removal. */
  index: number
}

export class Heap<Item> {
  /** Each entry comes before those at twice its index plus one and plus two. */
  private readonly entries: HeapEntry<Item>[] = []

  /** @param comes a strict order */
  constructor(private readonly comes: (a: Item, b: Item) => boolean) {}

  get size(): number {
    return this.entries.length
  }

  add(item: Item): HeapEntry<Item> {
    const entry = { item, index: this.entries.length }
    this.entries.push(entry)
    this.raise(entry)
    return entry
  }

  first(): Item | undefined {
    return this.entries[0]?.item
  }

  take(): Item | undefined {
    const first = this.entries[0]
    if (first !== undefined) this.remove(first)
    return first?.item
  }

  remove(entry: HeapEntry<Item>): void {
    const { index } = entry
    if (this.entries[index] !== entry) return
    entry.index = -1
    const last = this.entries.pop() as HeapEntry<Item>
    if (last === entry) return
    this.place(last, index)
    this.lower(last)
    this.raise(last)
  }

  clear(): void {
    this.entries.length = 0
  }

  private place(entry: HeapEntry<Item>, index: number): void {
    this.entries[index] = entry
    entry.index = index
  }

  private raise(entry: HeapEntry<Item>): void {
    while (entry.index > 0) {
      const parent = this.entries[(entry.index - 1) >> 1] as HeapEntry<Item>
      if (!this.comes(entry.item, parent.item)) return
      this.swap(parent, entry)
    }
  }

  private lower(entry: HeapEntry<Item>): void {
    for (;;) {
      const left = this.entries[2 * entry.index + 1]
      const right = this.entries[2 * entry.index + 2]
      const child = left && right && this.comes(right.item, left.item) ? right : left
      if (child === undefined || !this.comes(child.item, entry.item)) return
      this.swap(entry, child)
    }
  }

  private swap(upper: HeapEntry<Item>, lower: HeapEntry<Item>): void {
    const { index } = upper
    this.place(upper, lower.index)
    this.place(lower, index)
  }
}
