import type { Value } from './value'

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

/** Finds equal values without comparing every pair. */
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

  /** Values without a text may equal any item. */
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
