/** A bounded list of items for a polling client, which gets only new ones. */
import type { Recent } from './channel'

/** Unique for each list and clear, across processes. */
let lists = 0
const newMark = (): string => `${performance.timeOrigin}-${++lists}`

export class LastItems<Item> {
  private readonly items: Item[] = []
  private count = 0
  private mark = newMark()

  constructor(private readonly most: number) {}

  add(item: Item): void {
    this.items.push(item)
    this.count++
    if (this.items.length > this.most) this.items.shift()
  }

  clear(): void {
    this.items.splice(0)
    this.count = 0
    this.mark = newMark()
  }

  /**
   * @param place of an earlier response; all stored items if undefined, of another list or too old
   */
  after(place?: string): Recent<Item> {
    const [mark, known] = place?.split(' ') ?? []
    const newer = this.count - Number(known)
    const continues = mark === this.mark && newer <= this.items.length
    return {
      items: continues ? this.items.slice(this.items.length - newer) : [...this.items],
      place: `${this.mark} ${this.count}`,
      continues,
    }
  }
}
