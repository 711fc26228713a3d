/** A value seen through its type: which parts are owned one by one, and by which path elements list items go. */
import { isJsonObject, type Json, type JsonObject } from '../object'
import type { ListType, StructType, TypeNode } from '../schema/model'
import { fieldElement, keyElement, valueElement } from './fields-v1'

/** How ownership treats a value of a type. */
export type Shape =
  | { kind: 'leaf' }
  /** Struct or map: members owned one by one. `named`: the member is a field of the type, not a key of a map. */
  | { kind: 'map'; member(name: string): { type: TypeNode | undefined; named: boolean } }
  /** List whose items are owned one by one. */
  | { kind: 'list'; type: ListType }

const LEAF: Shape = { kind: 'leaf' }

/** Arbitrary JSON: objects member by member, lists and scalars as a whole. */
const DEDUCED_MAP: Shape = { kind: 'map', member: () => ({ type: undefined, named: false }) }

const shapes = new WeakMap<TypeNode, Shape>()

/** @param type undefined: untyped, the shape follows from the value */
export function shapeOf(type: TypeNode | undefined, value: Json | undefined): Shape {
  if (type === undefined || type.type === 'any') return isJsonObject(value) ? DEDUCED_MAP : LEAF
  let shape = shapes.get(type)
  if (shape === undefined) {
    shape = makeShape(type)
    shapes.set(type, shape)
  }
  return shape
}

function makeShape(type: TypeNode): Shape {
  switch (type.type) {
    case 'struct':
      return type.atomic ? LEAF : { kind: 'map', member: (name) => structMember(type, name) }
    case 'map':
      return type.atomic ? LEAF : { kind: 'map', member: () => ({ type: type.values, named: false }) }
    case 'list':
      return type.listType === 'atomic' ? LEAF : { kind: 'list', type }
    default:
      return LEAF
  }
}

function structMember(type: StructType, name: string): { type: TypeNode | undefined; named: boolean } {
  const field = type.byName.get(name)
  if (field !== undefined) return { type: field.type, named: true }
  return { type: type.additional, named: false }
}

/** The path element of a list item. @throws ItemError for an item without identity */
export function itemElement(list: ListType, item: Json, index: number): string {
  if (list.listType === 'set') {
    if (item === null) throw new ItemError(index, "associative list without keys has an element that's an explicit null")
    if (typeof item === 'object') throw new ItemError(index, "associative list without keys has an element that's a map type")
    return valueElement(item)
  }
  if (!isJsonObject(item)) {
    throw new ItemError(
      index,
      item === null ? 'associative list with keys may not have a null element' : 'associative list with keys may not have non-map elements',
    )
  }
  return keyElement(itemKey(list, item, index))
}

/** Key members of an item; those left out take the default of their field. */
function itemKey(list: ListType, item: JsonObject, index: number): JsonObject {
  const key: JsonObject = {}
  for (const name of list.mapKeys) {
    const value = item[name] ?? keyDefault(list, name)
    if (value === undefined)
      throw new ItemError(
        index,
        `associative list with keys has an element that omits key field ${JSON.stringify(name)} (and doesn't have default value)`,
      )
    key[name] = value
  }
  return key
}

function keyDefault(list: ListType, name: string): Json | undefined {
  return list.items.type === 'struct' ? list.items.byName.get(name)?.default : undefined
}

export class ItemError extends Error {
  constructor(index: number, why: string) {
    super(`element ${index}: ${why}`)
  }
}

/**
 * List items by path element, in order. Items without identity get none (stored lists may hold what no apply could);
 * of repeated ones the first counts.
 */
export function itemsByElement(list: ListType, items: readonly Json[]): Map<string, Json> {
  const byElement = new Map<string, Json>()
  items.forEach((item, index) => {
    try {
      const element = itemElement(list, item, index)
      if (!byElement.has(element)) byElement.set(element, item)
    } catch (error) {
      if (!(error instanceof ItemError)) throw error
    }
  })
  return byElement
}

export const memberElement = fieldElement
