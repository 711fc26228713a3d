/**
 * Caches field sets by the shape of an object: many writes differ only in values, and field sets
 * have only paths.
 */
import { memoizeByIdentity } from '../core/identity-memo'
import { equalJson, isJsonObject, type Json } from '../core/object'
import { canonicalValue } from '../schema/canonical'
import type { ListType, StructType, TypeNode } from '../schema/model'
import type { FieldSet } from './field-set'
import { type Cursor, ShapeTrie } from './shape-trie'
import { elementsOf, memberOf, type Shape, shapeOf } from './typed-value'
import { surelyFits } from './validate'

/** By type, and by the paths that the endpoint does not write. */
const newTries = () =>
  memoizeByIdentity((_: StructType) => memoizeByIdentity((_: FieldSet) => new ShapeTrie()))

const created = newTries()
const applied = newTries()

/**
 * @param object decoded and defaulted
 * @param reset paths that the endpoint does not write
 * @param compute runs for a new shape
 */
export function createdFields(
  object: Json,
  zero: Json,
  type: StructType,
  reset: FieldSet,
  compute: () => FieldSet,
): FieldSet {
  const way = created(type)(reset).cursor()
  new CreatedShape(way, type.name !== '').value(object, type, zero)
  return way.fields ?? memoize(way, compute())
}

/** A cached shape needs only a check of scalars; `compute` checks everything. */
export function appliedFields(
  body: Json,
  type: StructType,
  reset: FieldSet,
  compute: () => FieldSet,
): FieldSet {
  const way = applied(type)(reset).cursor()
  const shape = new AppliedShape(way)
  shape.value(body, type)
  return (shape.fits ? way.fields : undefined) ?? memoize(way, compute())
}

function memoize(way: Cursor, fields: FieldSet): FieldSet {
  way.store(fields)
  return fields
}

/** Tokens other than strings (member names and path elements). */
const MAP = 0
const LIST = 1
const END = 2
const NULL = 3
const NO_ELEMENT = 4
const EMPTY = 5
/** Equal to the zero value's member. */
const ZERO = 6
const NOT_ZERO = 7

type MapShape = Extract<Shape, { kind: 'map' }>

/** Values count only if the zero value has one, or the canonical form omits them. */
class CreatedShape {
  constructor(
    private readonly way: Cursor,
    /** Whether the canonical form omits empty members. */
    private readonly drops: boolean,
  ) {}

  value(value: Json, type: TypeNode | undefined, zero: Json | undefined): void {
    if (typeof value !== 'object') {
      if (zero !== undefined) this.way.advance(value === zero ? ZERO : NOT_ZERO)
      return
    }
    if (value === null) {
      this.way.advance(NULL)
      return
    }
    const shape = shapeOf(type, value)
    if (shape.kind === 'map' && !Array.isArray(value)) this.members(value, shape, zero)
    else if (shape.kind === 'list' && Array.isArray(value)) this.items(value, shape.list)
    else if (zero !== undefined)
      this.way.advance(
        equalJson(type === undefined ? value : canonicalValue(type, value), zero) ? ZERO : NOT_ZERO,
      )
    else if (hasNothing(value)) this.way.advance(EMPTY)
  }

  private members(object: Record<string, Json>, shape: MapShape, zero: Json | undefined): void {
    const zeros = isJsonObject(zero) ? zero : undefined
    this.way.advance(MAP)
    for (const name in object) {
      const member = object[name]
      if (member === undefined) continue
      const { type, omitsEmpty } = shape.member(name)
      if (this.drops && omitsEmpty && (member === '' || member === 0 || member === false)) continue
      this.way.advance(name)
      this.value(member, type, zeros && memberOf(zeros, name))
    }
    this.way.advance(END)
  }

  private items(items: Json[], list: ListType): void {
    const elements = elementsOf(list, items)
    this.way.advance(LIST)
    for (let i = 0; i < items.length; i++) {
      this.way.advance(elements[i] ?? NO_ELEMENT)
      this.value(items[i] as Json, list.items, undefined)
    }
    this.way.advance(END)
  }
}

function hasNothing(value: object): boolean {
  for (const name in value) if ((value as Record<string, unknown>)[name] !== undefined) return false
  return true
}

/** Also checks scalars against their types. */
class AppliedShape {
  fits = true

  constructor(private readonly way: Cursor) {}

  value(value: Json, type: TypeNode | undefined): void {
    if (value === null) {
      this.way.advance(NULL)
      return
    }
    const shape = typeof value === 'object' ? shapeOf(type, value) : undefined
    if (shape?.kind === 'map' && isJsonObject(value)) this.members(value, shape)
    else if (shape?.kind === 'list' && Array.isArray(value)) this.items(value, shape.list)
    else if (this.fits) this.fits = surelyFits(value, type)
  }

  private members(object: Record<string, Json>, shape: MapShape): void {
    this.way.advance(MAP)
    for (const name in object) {
      this.way.advance(name)
      this.value(object[name] as Json, shape.member(name).type)
    }
    this.way.advance(END)
  }

  private items(items: Json[], list: ListType): void {
    const elements = elementsOf(list, items)
    this.way.advance(LIST)
    for (let i = 0; i < items.length; i++) {
      this.way.advance(elements[i] ?? NO_ELEMENT)
      this.value(items[i] as Json, list.items)
    }
    this.way.advance(END)
  }
}
