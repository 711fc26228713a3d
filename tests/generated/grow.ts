/** Objects with more in them than they had: members that their type names, filled with values of the right form. */
import type { Json, JsonObject } from '../../src/engine/core/object'
import { isJsonObject } from '../../src/engine/core/object'
import type { Field, ScalarType, StructType, TypeNode } from '../../src/engine/schema/model'

/** Draws a whole number from 0 to the limit, exclusive. */
export type Draw = (limit: number) => number

const DEPTH = 4

/** @param chance one in how many members that are not there is added */
export function grown(
  type: StructType,
  object: JsonObject,
  draw: Draw,
  chance: number,
): JsonObject {
  const { metadata, ...members } = object
  return {
    ...growStruct(type, members, draw, chance, 0, ['metadata', 'status', 'kind', 'apiVersion']),
    ...(metadata ? { metadata } : {}),
  }
}

function growStruct(
  type: StructType,
  object: JsonObject,
  draw: Draw,
  chance: number,
  depth: number,
  except: string[] = [],
): JsonObject {
  const grownObject: JsonObject = { ...object }
  for (const field of type.fields) {
    if (except.includes(field.name)) continue
    const present = object[field.name]
    if (present !== undefined)
      grownObject[field.name] = growValue(field.type, present, draw, chance, depth + 1)
    else if (depth < DEPTH && draw(chance) === 0)
      grownObject[field.name] = made(field.type, draw, chance, depth + 1, field)
  }
  return grownObject
}

function growValue(type: TypeNode, value: Json, draw: Draw, chance: number, depth: number): Json {
  if (type.type === 'struct' && isJsonObject(value))
    return growStruct(type, value, draw, chance, depth)
  if (type.type === 'list' && Array.isArray(value))
    return value.map((item) => growValue(type.items, item, draw, chance, depth))
  return value
}

function made(type: TypeNode, draw: Draw, chance: number, depth: number, field?: Field): Json {
  switch (type.type) {
    case 'struct':
      return growStruct(
        type,
        Object.fromEntries(
          type.fields
            .filter(({ required }) => required && depth < DEPTH + 2)
            .map((one) => [one.name, made(one.type, draw, chance, depth + 1, one)]),
        ),
        draw,
        chance,
        depth,
      )
    case 'list':
      return Array.from({ length: draw(3) }, () => made(type.items, draw, chance, depth + 1))
    case 'map':
      return Object.fromEntries(
        Array.from({ length: draw(3) }, (_, i) => [
          `key-${i}`,
          made(type.values, draw, chance, depth + 1),
        ]),
      )
    case 'any':
      return { any: [1, 'two', null, { three: true }] }
    default:
      return scalar(type, draw, field)
  }
}

const TEXTS = [
  '',
  'a',
  'some-name',
  'example.com/name',
  '10.0.0.1',
  'Wörter <&> "mit" \\ Zeichen',
  'ReadWriteOnce',
  'true',
  '2.0',
]
const QUANTITIES = ['0', '1', '100m', '1.5Gi', '1e3', '2M', '3000000000']
const WHOLE = [0, 1, -1, 5, 80, 65535, 2147483647]

const pick = <T>(values: readonly T[], draw: Draw): T => values[draw(values.length)] as T

function scalar({ format, enum: ofType }: ScalarType, draw: Draw, field: Field | undefined): Json {
  const allowed = field?.enum ?? ofType
  if (allowed?.length) return pick(allowed, draw)
  switch (format) {
    case 'boolean':
      return draw(2) === 0
    case 'int32':
      return pick(WHOLE, draw)
    case 'int64':
      return pick([...WHOLE, 4294967296, -9007199254740991, 9007199254740991], draw)
    case 'double':
      return pick([0, 0.5, -1.25, 1e21, 1e-7], draw)
    case 'bytes':
      return pick(['', 'AA==', 'aGVsbG8=', '/+8='], draw)
    case 'time':
      return pick(['2024-02-29T12:00:00Z', '1999-12-31T23:59:59+02:00'], draw)
    case 'microTime':
      return pick(['2024-02-29T12:00:00.000000Z', '2024-02-29T12:00:00.123456Z'], draw)
    case 'quantity':
      return pick(QUANTITIES, draw)
    case 'intOrString':
      return pick<Json>([0, 80, '25%', 'http'], draw)
    default:
      return pick(TEXTS, draw)
  }
}
