/** Lists that are sets or maps: their items have no order, and what is there already is not added again (document 3, "Expression language" 3). */
import { Groups, textOf } from '../../../expressions/values/groups'
import { ArrayList, type ListValue, MapValue, type Value } from '../../../expressions/values/value'

type Equal = (a: Value, b: Value) => boolean

/** A list of an object by its schema. */
export class ItemList extends ArrayList {
  override readonly comparedWithin = true

  override plus(other: ListValue, _equal: Equal): ListValue {
    return new ItemList([...this.items, ...other])
  }
}

export class SetList extends ItemList {
  override equals(other: ListValue, equal: Equal): boolean {
    if (this.size !== other.size) return false
    const own = new Groups(this.items, textOf)
    return [...other].every((item) => own.find(item, (candidate) => equal(item, candidate)) !== undefined)
  }

  override plus(other: ListValue, equal: Equal): ListValue {
    const own = new Groups(this.items, textOf)
    const added = [...other].filter((item) => own.find(item, (present) => equal(present, item)) === undefined)
    return new SetList([...this.items, ...added])
  }
}

/** A list whose items have keys: those of equal keys are one item. */
export class KeyedList extends ItemList {
  constructor(
    items: readonly Value[],
    private readonly keys: readonly string[],
  ) {
    super(items)
  }

  private readonly keyText = (item: Value): string | undefined => {
    if (!(item instanceof MapValue)) return undefined
    const texts = this.keys.map((key) => textOf(item.find(key)))
    return texts.includes(undefined) ? undefined : JSON.stringify(texts)
  }

  private sameKeys(a: Value, b: Value, equal: Equal): boolean {
    if (!(a instanceof MapValue) || !(b instanceof MapValue)) return false
    return this.keys.every((key) => {
      const [left, right] = [a.find(key), b.find(key)]
      return left === undefined || right === undefined ? left === right : equal(left, right)
    })
  }

  override equals(other: ListValue, equal: Equal): boolean {
    if (this.size !== other.size) return false
    const own = new Groups(this.items, this.keyText)
    return [...other].every(
      (item) => own.find(item, (candidate) => this.sameKeys(item, candidate, equal) && equal(item, candidate)) !== undefined,
    )
  }

  override plus(other: ListValue, equal: Equal): ListValue {
    const places = new Map(this.items.map((item, place) => [item, place]))
    const known = new Groups(this.items, this.keyText)
    const joined = [...this.items]
    for (const item of other) {
      const present = known.find(item, (candidate) => this.sameKeys(candidate, item, equal))
      const place = present === undefined ? undefined : places.get(present)
      if (place !== undefined) joined[place] = item
      else {
        places.set(item, joined.length)
        known.add(item)
        joined.push(item)
      }
    }
    return new KeyedList(joined, this.keys)
  }
}
