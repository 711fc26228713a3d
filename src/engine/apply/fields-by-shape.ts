/**
 * What a creator or an applier comes to own, remembered by the shape of what it sends: programs write many objects that differ
 * only in their values, and ownership is about paths.
 */
import { equalJson, isJsonObject, type Json } from '../object'
import type { StructType, TypeNode } from '../schema/model'
import type { FieldSet } from './field-set'
import { elementsOf, memberOf, shapeOf } from './typed-value'

/** Shapes remembered for each kind and endpoint, and their length altogether; then the memory starts anew. */
const MOST_SHAPES = 1000
const MOST_CHARACTERS = 1_000_000
/** Objects whose description is longer are rarely alike. */
const LONGEST_SHAPE = 100_000

interface Shapes {
  fields: Map<string, FieldSet>
  characters: number
}

type Remembered = WeakMap<StructType, WeakMap<FieldSet, Shapes>>

const created: Remembered = new WeakMap()
const applied: Remembered = new WeakMap()

/**
 * @param zero the kind's zero value, with which a new object is compared
 * @param reset paths that the endpoint does not write
 * @param compute finds the fields of an object whose shape is new
 */
export function createdFields(object: Json, zero: Json, type: StructType, reset: FieldSet, compute: () => FieldSet): FieldSet {
  return recalled(created, shapeText(object, type, zero), type, reset, compute)
}

/** The same for the body of an apply, which must fit its type. */
export function appliedFields(body: Json, type: StructType, reset: FieldSet, compute: () => FieldSet): FieldSet {
  return recalled(applied, shapeText(body, type, undefined), type, reset, compute)
}

function recalled(all: Remembered, shape: string, type: StructType, reset: FieldSet, compute: () => FieldSet): FieldSet {
  if (shape.length > LONGEST_SHAPE) return compute()
  const shapes = shapesOf(all, type, reset)
  const known = shapes.fields.get(shape)
  if (known !== undefined) return known
  const fields = compute()
  if (shapes.fields.size >= MOST_SHAPES || shapes.characters + shape.length > MOST_CHARACTERS) {
    shapes.fields.clear()
    shapes.characters = 0
  }
  shapes.fields.set(shape, fields)
  shapes.characters += shape.length
  return fields
}

function shapesOf(all: Remembered, type: StructType, reset: FieldSet): Shapes {
  let ofType = all.get(type)
  if (ofType === undefined) all.set(type, (ofType = new WeakMap()))
  let shapes = ofType.get(reset)
  if (shapes === undefined) ofType.set(reset, (shapes = { fields: new Map(), characters: 0 }))
  return shapes
}

/**
 * All that ownership can depend on: the names of members, the elements of list items, and values only where the zero value has
 * one to compare with: whether they are that one. Names stand behind their length, so no two shapes read alike.
 */
function shapeText(value: Json, type: TypeNode | undefined, zero: Json | undefined): string {
  if (typeof value !== 'object' || value === null) return comparison(value, zero)
  const shape = shapeOf(type, value)
  if (shape.kind === 'map' && !Array.isArray(value)) {
    const zeros = isJsonObject(zero) ? zero : undefined
    let text = zero === undefined ? '{' : '={'
    for (const name in value) {
      const member = value[name]
      if (member === undefined) continue
      text += `${name.length}:${name}${shapeText(member, shape.member(name).type, zeros && memberOf(zeros, name))}`
    }
    return `${text}}`
  }
  if (shape.kind === 'list' && Array.isArray(value)) {
    let text = zero === undefined ? '[' : '=['
    const elements = elementsOf(shape.list, value)
    for (let i = 0; i < value.length; i++) {
      const element = elements[i] ?? ''
      text += `${element.length}:${element}${shapeText(value[i] as Json, shape.list.items, undefined)}`
    }
    return `${text}]`
  }
  return comparison(value, zero)
}

/** Of a value that is owned as a whole it only matters whether it is the zero value's. */
const comparison = (value: Json, zero: Json | undefined): string => (zero === undefined ? ',' : equalJson(value, zero) ? '=,' : '!,')
