/**
 * Objects that are as large as requested in one position: each list, map, string and number of an
 * object's type.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../src/engine/core/object'
import type { Field, ScalarType, StructType, TypeNode } from '../../../src/engine/schema/model'

export interface Growth {
  /** For example `.spec.containers[]`. */
  position: string
  /** The object with that many items, entries or characters there, or with a number of that size. */
  of(size: number): JsonObject
}

const DEPTH = 12

/** Returns every position of the object that can grow, with equal items and with different ones. */
export function growthsOf(type: StructType, object: JsonObject): Growth[] {
  return new Walk().of(type, object)
}

/**
 * Returns the positions of fields that the object leaves out, with samples in their place. A field of
 * a type is visited once, in the first object that reaches it.
 *
 * @param visited the fields of types that other objects have, `io.k8s.api.core.v1.PodSpec.volumes`
 */
export function growthsOfAbsent(
  type: StructType,
  object: JsonObject,
  visited: Set<string>,
): Growth[] {
  return new Walk(visited).of(type, object)
}

/** Adds the fields that the object has, as `growthsOfAbsent` leaves them out. */
export function visitFields(type: TypeNode, value: Json | undefined, visited: Set<string>): void {
  if (type.type === 'list' && Array.isArray(value)) visitFields(type.items, value[0], visited)
  if (type.type !== 'struct' || !isJsonObject(value)) return
  for (const field of type.fields) {
    if (value[field.name] === undefined) continue
    visited.add(fieldKey(type, field))
    visitFields(field.type, value[field.name], visited)
  }
}

const fieldKey = (type: StructType, field: Field): string => `${type.name}.${field.name}`

interface Part {
  position: string
  of(size: number): Json
  /** Below a field that the object leaves out. */
  isAbsent: boolean
}

class Walk {
  /** @param visited absent: the positions of the object itself */
  constructor(private readonly visited?: Set<string>) {}

  of(type: StructType, object: JsonObject): Growth[] {
    return this.inValue(type, object, '', 0, false)
      .filter(({ isAbsent }) => isAbsent === (this.visited !== undefined))
      .map(({ position, of }) => ({ position, of: (size) => of(size) as JsonObject }))
  }

  private inValue(
    type: TypeNode,
    value: Json | undefined,
    position: string,
    depth: number,
    isAbsent: boolean,
  ): Part[] {
    if (depth > DEPTH) return []
    switch (type.type) {
      case 'struct':
        return isJsonObject(value) ? this.inStruct(type, value, position, depth, isAbsent) : []
      case 'list':
        return Array.isArray(value) && value.length > 0
          ? this.inList(type.items, value, position, depth, isAbsent)
          : []
      case 'map':
        return isJsonObject(value) && Object.keys(value).length > 0
          ? inMap(value, position, isAbsent)
          : []
      default:
        return inScalar(value, position, isAbsent)
    }
  }

  private inStruct(
    type: StructType,
    object: JsonObject,
    position: string,
    depth: number,
    isAbsent: boolean,
  ): Part[] {
    return type.fields.flatMap((field) => {
      let value = object[field.name]
      let isBelow = isAbsent
      if (this.visited !== undefined && (value === undefined || isAbsent)) {
        const key = fieldKey(type, field)
        if (this.visited.has(key)) return []
        this.visited.add(key)
        value ??= sampleOf(field.type)
        isBelow = true
      }
      const at = `${position}.${field.name}`
      return this.inValue(field.type, value, at, depth + 1, isBelow).map((part) => ({
        ...part,
        of: (size: number) => ({ ...object, [field.name]: part.of(size) }),
      }))
    })
  }

  private inList(
    items: TypeNode,
    list: Json[],
    position: string,
    depth: number,
    isAbsent: boolean,
  ): Part[] {
    const [first = null] = list
    return [
      {
        position: `${position}[] alike`,
        of: (size) => Array.from({ length: size }, () => first),
        isAbsent,
      },
      {
        position: `${position}[] differing`,
        of: (size) => Array.from({ length: size }, (_, index) => differing(first, index)),
        isAbsent,
      },
      ...this.inValue(items, first, `${position}[0]`, depth + 1, isAbsent).map((part) => ({
        ...part,
        of: (size: number) => [part.of(size), ...list.slice(1)],
      })),
    ]
  }
}

function inMap(map: JsonObject, position: string, isAbsent: boolean): Part[] {
  const [[key, value] = ['', '']] = Object.entries(map)
  const entry = (index: number): [string, Json] => [`${key}${index}`, differing(value, index)]
  return [
    {
      position: `${position}{}`,
      of: (size) =>
        Object.fromEntries(Array.from({ length: size }, (_, index) => entry(index))) as JsonObject,
      isAbsent,
    },
  ]
}

function inScalar(value: Json | undefined, position: string, isAbsent: boolean): Part[] {
  if (typeof value === 'string')
    return [
      { position: `${position} text`, of: (size) => value.padEnd(size, value || 'a'), isAbsent },
    ]
  if (typeof value === 'number')
    return [
      {
        position: `${position} number`,
        of: (size) => 2 ** Math.min(30, Math.log2(size) * 3),
        isAbsent,
      },
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

/** Returns a value of the type with everything that it requires. */
export function sampleOf(type: TypeNode, depth = 0): Json {
  switch (type.type) {
    case 'struct':
      return Object.fromEntries(
        type.fields
          .filter(({ required, name }) => depth < 4 && (required || name === 'name'))
          .map(({ name, type }) => [name, sampleOf(type, depth + 1)]),
      )
    case 'list':
      return [sampleOf(type.items, depth + 1)]
    case 'map':
      return { a: sampleOf(type.values, depth + 1) }
    case 'any':
      return {}
    default:
      return sampleOfScalar(type)
  }
}

function sampleOfScalar({ format, enum: values }: ScalarType): Json {
  if (values !== undefined) return values[0] as string
  switch (format) {
    case 'boolean':
      return true
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 1
    case 'quantity':
      return '1'
    case 'bytes':
      return 'YWFh'
    case 'time':
    case 'microTime':
      return '2026-01-01T00:00:00Z'
    default:
      return 'a'
  }
}
