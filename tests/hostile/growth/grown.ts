/** Objects that are as large as asked for in one position: each list, map, string and number of an object's type. */
import { isJsonObject, type Json, type JsonObject } from '../../../src/engine/object'
import type { StructType, TypeNode } from '../../../src/engine/schema/model'

export interface Growth {
  /** For example `.spec.containers[]`. */
  position: string
  /** The object with that many items, entries or characters there, or with a number of that size. */
  of(size: number): JsonObject
}

const DEPTH = 10

/** @returns every position of the object that can grow, items alike and items that differ in every string */
export function growthsOf(type: StructType, object: JsonObject): Growth[] {
  return inValue(type, object, '', 0).map(({ position, of }) => ({
    position,
    of: (size) => of(size) as JsonObject,
  }))
}

interface Part {
  position: string
  of(size: number): Json
}

function inValue(type: TypeNode, value: Json | undefined, position: string, depth: number): Part[] {
  if (depth > DEPTH) return []
  switch (type.type) {
    case 'struct':
      return isJsonObject(value) ? inStruct(type, value, position, depth) : []
    case 'list':
      return Array.isArray(value) && value.length > 0
        ? inList(type.items, value, position, depth)
        : []
    case 'map':
      return isJsonObject(value) && Object.keys(value).length > 0 ? inMap(value, position) : []
    default:
      return inScalar(value, position)
  }
}

function inStruct(type: StructType, object: JsonObject, position: string, depth: number): Part[] {
  return type.fields.flatMap((field) =>
    inValue(field.type, object[field.name], `${position}.${field.name}`, depth + 1).map((part) => ({
      position: part.position,
      of: (size: number) => ({ ...object, [field.name]: part.of(size) }),
    })),
  )
}

function inList(items: TypeNode, list: Json[], position: string, depth: number): Part[] {
  const [first = null] = list
  return [
    { position: `${position}[] alike`, of: (size) => Array.from({ length: size }, () => first) },
    {
      position: `${position}[] differing`,
      of: (size) => Array.from({ length: size }, (_, index) => differing(first, index)),
    },
    ...inValue(items, first, `${position}[0]`, depth + 1).map((part) => ({
      position: part.position,
      of: (size: number) => [part.of(size), ...list.slice(1)],
    })),
  ]
}

function inMap(map: JsonObject, position: string): Part[] {
  const [[key, value] = ['', '']] = Object.entries(map)
  return [
    {
      position: `${position}{}`,
      of: (size) =>
        Object.fromEntries(
          Array.from({ length: size }, (_, index) => [`${key}${index}`, differing(value, index)]),
        ),
    },
  ]
}

function inScalar(value: Json | undefined, position: string): Part[] {
  if (typeof value === 'string')
    return [{ position: `${position} text`, of: (size) => value.padEnd(size, value || 'a') }]
  if (typeof value === 'number')
    return [
      { position: `${position} number`, of: (size) => 2 ** Math.min(30, Math.log2(size) * 3) },
    ]
  return []
}

/** The value with a number behind each of its strings. */
function differing(value: Json, index: number): Json {
  if (typeof value === 'string') return `${value}${index}`
  if (typeof value === 'number') return value + index
  if (Array.isArray(value)) return value.map((item) => differing(item, index))
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, differing(member, index)]),
    )
  return value
}
