/**
 * Sets and maps are unordered: adding an existing item has no effect (kubernetes.io, "Validation
 * functions").
 */
import { equal } from '../../../cel/values/equality'
import { Groups, textOf } from '../../../cel/values/groups'
import { valueOfJson } from '../../../cel/values/json'
import {
  ArrayList,
  type Equality,
  type EvaluationError,
  type ListValue,
  type Value,
} from '../../../cel/values/value'
import type { Json } from '../../../core/object'

type Equal = (a: Value, b: Value) => boolean

export class ItemList extends ArrayList {
  override readonly goType: string = '*common.unstructuredList'
  override readonly comparedWithin = true
  override readonly isIntIndexed = 'value'
  /** Without schema. */
  native?: readonly Json[]

  override get opened(): Value {
    return this.native === undefined ? this : valueOfJson([...this.native])
  }

  override compared(other: ListValue, equality: Equality): boolean | EvaluationError {
    if (this.size !== other.size) return false
    for (const [index, item] of this.items.entries()) {
      const same = equality(item, other.at(index))
      if (same !== true) return same
    }
    return true
  }

  /** An incomparable item is an error unless another is equal. */
  override holds(value: Value, equality: Equality): boolean | EvaluationError {
    let failed: EvaluationError | undefined
    for (const item of this.items) {
      const same = equality(item, value)
      if (same === true) return true
      if (same !== false) failed ??= same
    }
    return failed ?? false
  }

  override plus(other: ListValue, _equal: Equal): ListValue {
    return new ItemList([...this.items, ...other])
  }
}

export class SetList extends ItemList {
  override readonly goType = '*common.unstructuredSetList'

  override compared(other: ListValue): boolean {
    if (this.size !== other.size) return false
    const own = new Groups(this.items, textOf)
    return [...other].every(
      (item) => own.find(item, (candidate) => equal(item, candidate)) !== undefined,
    )
  }

  override plus(other: ListValue, equal: Equal): ListValue {
    const own = new Groups(this.items, textOf)
    const added = [...other].filter(
      (item) => own.find(item, (present) => equal(present, item)) === undefined,
    )
    return new SetList([...this.items, ...added])
  }
}

/** Of items with equal keys the last counts (kube-apiserver 1.31). */
export class KeyedList extends ItemList {
  override readonly goType = '*common.unstructuredMapList'
  private places: ReadonlyMap<string, number> | undefined

  /** @param keyOf undefined: equals no other */
  constructor(
    items: readonly Value[],
    private readonly keyOf: (item: Value) => string | undefined,
  ) {
    super(items)
  }

  private placeOf(item: Value): number | undefined {
    const key = this.keyOf(item)
    return key === undefined ? undefined : (this.places ??= this.placesByKey()).get(key)
  }

  private placesByKey(): Map<string, number> {
    const places = new Map<string, number>()
    for (const [place, item] of this.items.entries()) {
      const key = this.keyOf(item)
      if (key !== undefined) places.set(key, place)
    }
    return places
  }

  override compared(other: ListValue, equality: Equality): boolean | EvaluationError {
    if (this.size !== other.size) return false
    for (const item of other) {
      const place = this.placeOf(item)
      const same = place !== undefined && equality(this.at(place), item)
      if (same !== true) return same
    }
    return true
  }

  /** Replaces items with equal keys, and appends others (kube-apiserver 1.31). */
  override plus(other: ListValue, _equal: Equal): ListValue {
    const joined = [...this.items]
    for (const item of other) joined[this.placeOf(item) ?? joined.length] = item
    return new KeyedList(joined, this.keyOf)
  }
}
