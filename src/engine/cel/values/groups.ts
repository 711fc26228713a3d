/** Finding equal values among many without comparing each with each. */
import type { Value } from './value'

/** What tells scalars apart; undefined for values that only a comparison can tell apart. */
export function textOf(value: Value | undefined): string | undefined {
  switch (typeof value) {
    case 'string':
      return `text ${value}`
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      return Number.isInteger(value) ? String(BigInt(value)) : undefined
    default:
      return value === undefined || value === null ? String(value) : undefined
  }
}

/** Items of one text lie together, so that finding one does not go through all. */
export class Groups {
  private readonly byText = new Map<string | undefined, Value[]>()

  constructor(
    items: Iterable<Value>,
    private readonly textOf: (item: Value) => string | undefined,
  ) {
    for (const item of items) this.add(item)
  }

  add(item: Value): void {
    const text = this.textOf(item)
    const group = this.byText.get(text)
    if (group === undefined) this.byText.set(text, [item])
    else group.push(item)
  }

  /** What has no text may be like any item, and any item like it. */
  find(item: Value, isSame: (other: Value) => boolean): Value | undefined {
    const text = this.textOf(item)
    const groups =
      text === undefined
        ? [...this.byText.values()]
        : [this.byText.get(text) ?? [], this.byText.get(undefined) ?? []]
    for (const group of groups) {
      const found = group.find(isSame)
      if (found !== undefined) return found
    }
    return undefined
  }
}
