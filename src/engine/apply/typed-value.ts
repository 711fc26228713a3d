import { memoizeByIdentity } from '../core/identity-memo'
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { goQuote } from '../schema/go-text'
import type { ListType, StructType, TypeNode } from '../schema/model'
import { elementJson, fieldElement, valueElement } from './path-elements'

export interface Member {
  /** undefined: the shape follows from the value. */
  type: TypeNode | undefined
  /** A field of the type, not a key of a map. */
  named: boolean
  /** The canonical form omits `""`, `0` and `false`. */
  omitsEmpty: boolean
}

/** The granularity of ownership. */
export type Shape =
  /** Atomic: one owner for the whole. */
  | { kind: 'leaf' }
  | { kind: 'map'; member(name: string): Member }
  | { kind: 'list'; list: ListType }

const LEAF: Shape = { kind: 'leaf' }
const UNTYPED: Member = { type: undefined, named: false, omitsEmpty: false }
/** In arbitrary JSON, lists and scalars are atomic. */
const UNTYPED_MAP: Shape = { kind: 'map', member: () => UNTYPED }

/** Only in custom resources: RawExtension of built-in types is atomic. */
export function isUntyped(type: TypeNode | undefined): boolean {
  return type === undefined || (type.type === 'any' && type.name === '')
}

/** @param value determines the shape of untyped parts; null and undefined may be objects */
export function shapeOf(type: TypeNode | undefined, value: Json | undefined): Shape {
  if (type === undefined || isUntyped(type))
    return value === null || value === undefined || isJsonObject(value) ? UNTYPED_MAP : LEAF
  return shapeOfType(type)
}

const shapeOfType = memoizeByIdentity((type: TypeNode): Shape => {
  switch (type.type) {
    case 'struct':
      return type.atomic ? LEAF : { kind: 'map', member: memberLookup(type) }
    case 'map': {
      const member: Member = { type: type.values, named: false, omitsEmpty: false }
      return type.atomic ? LEAF : { kind: 'map', member: () => member }
    }
    case 'list':
      return type.listType === 'atomic' ? LEAF : { kind: 'list', list: type }
    default:
      return LEAF
  }
})

function memberLookup(type: StructType): (name: string) => Member {
  const members = new Map<string, Member>()
  for (const { name, type: inside, whenEmpty, pointer } of type.fields)
    members.set(name, { type: inside, named: true, omitsEmpty: whenEmpty === 'omit' && !pointer })
  const other: Member = { type: type.additional, named: false, omitsEmpty: false }
  return (name) => members.get(name) ?? other
}

/** Inherited members are functions, so one lookup nearly always suffices. */
export function memberOf(object: JsonObject, name: string): Json | undefined {
  const value = object[name]
  if (typeof value === 'function') return undefined
  return name !== '__proto__' || Object.hasOwn(object, name) ? value : undefined
}

const elements = new Map<string, string>()
const MAX_CACHED = 10_000

export function memberElement(name: string): string {
  const known = elements.get(name)
  if (known !== undefined) return known
  const element = fieldElement(name)
  if (elements.size < MAX_CACHED) elements.set(name, element)
  return element
}

/** @throws ItemError for an item without a key (messages recorded from kube-apiserver 1.31) */
export function itemElement(list: ListType, item: Json): string {
  if (list.listType === 'set') {
    if (item === null)
      throw new ItemError("associative list without keys has an element that's an explicit null")
    if (Array.isArray(item))
      throw new ItemError('not supported: associative list with lists as elements')
    if (typeof item === 'object')
      throw new ItemError("associative list without keys has an element that's a map type")
    return valueElement(item)
  }
  if (item === null) throw new ItemError('associative list with keys may not have a null element')
  if (!isJsonObject(item))
    throw new ItemError('associative list with keys may not have non-map elements')
  return keyedElement(list, item)
}

const NO_KEYS = 'k:{'

/** Absent members take their default. */
function keyedElement(list: ListType, item: JsonObject): string {
  let element = NO_KEYS
  for (const key of keysOf(list)) {
    const value = keyValue(key, item)
    if (value === undefined) {
      if (list.allowsMissingKeys) continue
      throw new ItemError(missingKey(list, item))
    }
    if (element !== NO_KEYS) element += ','
    element += key.opening + scalarText(value)
  }
  if (element === NO_KEYS) throw new ItemError(withoutKeys(list))
  return `${element}}`
}

function keyValue({ name, byDefault }: Key, item: JsonObject): Json | undefined {
  const given = memberOf(item, name)
  return given === undefined ? byDefault : given
}

function missingKey(list: ListType, item: JsonObject): string {
  const missing = keysOf(list).filter(
    ({ name, byDefault }) => memberOf(item, name) === undefined && byDefault === undefined,
  )
  const first = list.mapKeys.find((key) => missing.some(({ name }) => name === key)) ?? ''
  return `associative list with keys has an element that omits key field ${goQuote(first)} (and doesn't have default value)`
}

const withoutKeys = ({ mapKeys }: ListType): string =>
  `associative list with keys has an element that omits all key fields [${mapKeys.map(goQuote).join(' ')}] (and doesn't have default values for any key fields)`

const PLAIN = /^[\w ./:@-]*$/

const scalarText = (value: Json): string =>
  typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : elementJson(value)

interface Key {
  name: string
  /** `"name":` */
  opening: string
  byDefault: Json | undefined
}

/** By list type, in the order of path elements. */
const keysOf = memoizeByIdentity((list: ListType): Key[] => {
  const fields = list.items.type === 'struct' ? list.items.byName : undefined
  return [...list.mapKeys].sort().map((name) => ({
    name,
    opening: `${JSON.stringify(name)}:`,
    byDefault: fields?.get(name)?.default,
  }))
})

export class ItemError extends Error {}

/** undefined for a stored item without a key. */
export function elementsOf(list: ListType, items: readonly Json[]): (string | undefined)[] {
  const elements: (string | undefined)[] = []
  const [key, second] = list.listType === 'map' ? keysOf(list) : []
  let before: { value: Json; element: string } | undefined
  for (const item of items) {
    // Long lists repeat few values: build their text once.
    const value =
      key !== undefined && second === undefined && isJsonObject(item)
        ? keyValue(key, item)
        : undefined
    if (value !== undefined && before !== undefined && value === before.value) {
      elements.push(before.element)
      continue
    }
    const element = elementOf(list, item)
    elements.push(element)
    if (value !== undefined && element !== undefined) before = { value, element }
  }
  return elements
}

function elementOf(list: ListType, item: Json): string | undefined {
  try {
    return itemElement(list, item)
  } catch (error) {
    if (error instanceof ItemError) return undefined
    throw error
  }
}

/** Comparing pairs of items is quadratic. */
const MAX_PAIRWISE = 8

/** Whether items correspond by index; builds no elements. False negatives are possible. */
export function haveSameElements(list: ListType, a: readonly Json[], b: readonly Json[]): boolean {
  if (a.length !== b.length || a.length > MAX_PAIRWISE) return false
  for (let i = 0; i < a.length; i++) {
    const item = a[i] as Json
    if (!sameElement(list, item, b[i] as Json)) return false
    for (let other = 0; other < i; other++)
      if (sameElement(list, item, a[other] as Json)) return false
  }
  return true
}

function sameElement(list: ListType, a: Json, b: Json): boolean {
  if (list.listType === 'set') return a === b && typeof a !== 'object'
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  for (const key of keysOf(list)) {
    const value = keyValue(key, a)
    if (value === undefined || typeof value === 'object' || value !== keyValue(key, b)) return false
  }
  return true
}

/** Several if a stored list repeats an element. */
export function itemsByElement(list: ListType, items: readonly Json[]): Map<string, Json[]> {
  const found = new Map<string, Json[]>()
  const elements = elementsOf(list, items)
  for (let i = 0; i < items.length; i++) {
    const element = elements[i]
    if (element === undefined) continue
    const item = items[i] as Json
    const same = found.get(element)
    if (same === undefined) found.set(element, [item])
    else same.push(item)
  }
  return found
}
