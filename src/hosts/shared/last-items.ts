/** The last of many things, for someone who asks again and again: each time only what is new is told. */
import type { Recent } from './channel'

/** Another for each list and each time that one is cleared, in this process and in others. */
let lists = 0
const newMark = (): string => `${performance.timeOrigin}-${++lists}`

export class LastItems<Item> {
  private readonly items: Item[] = []
  private count = 0
  private mark = newMark()

  /** @param most so many are stored */
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

  /** @param place as it was told before; undefined, of another list or too long ago: all that are stored are told */
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
