/** The messages of github.com/google/gnostic, with the fields that occur. */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { ProtobufWriter, WireType } from '../protobuf/writer'
import { toYaml } from '../yaml'

export type Write = (writer: ProtobufWriter, value: Json) => void

export type Field = [number: number, member: string, write: Write, wire?: WireType]

/** All vendor extensions (`x-*`). */
export const EXTENSIONS = 'x-'

export const text: Write = (writer, value) => writer.delimited(() => writer.text(value as string))
export const flag: Write = (writer, value) => writer.varint(value ? 1 : 0)
const count: Write = (writer, value) => writer.varint(value as number)
const double: Write = (writer, value) => writer.double(value as number)
export const message =
  (fields: () => Field[]): Write =>
  (writer, value) =>
    writer.delimited(() => writeFields(writer, value as JsonObject, fields()))

/** A message with the value as the field of that number. */
export const wrapped =
  (number: number, write: Write): Write =>
  (writer, value) =>
    writer.delimited(() => put(writer, number, write, value))

/** An object as a list of pairs, each in the field of that number. */
export const pairs =
  (number: number, write: Write): Write =>
  (writer, value) =>
    writer.delimited(() => {
      for (const [name, member] of Object.entries(value as JsonObject).reverse())
        put(writer, number, pair(name, write), member)
    })

const pair =
  (name: string, write: Write): Write =>
  (writer, value) =>
    writer.delimited(() => {
      put(writer, 2, write, value)
      put(writer, 1, text, name)
    })

export const boundsFrom = (first: number): Field[] =>
  (
    [
      ['multipleOf', double],
      ['maximum', double],
      ['exclusiveMaximum', flag],
      ['minimum', double],
      ['exclusiveMinimum', flag],
      ['maxLength', count],
      ['minLength', count],
      ['pattern', text],
      ['maxItems', count],
      ['minItems', count],
      ['uniqueItems', flag],
      ['maxProperties', count],
      ['minProperties', count],
    ] as const
  ).map(([member, write], i) => [first + i, member, write, wireOf(write)])

const wireOf = (write: Write): WireType =>
  write === double ? WireType.Fixed64 : write === text ? WireType.Delimited : WireType.Varint

/** Any value, as YAML. */
export const any: Write = (writer, value) =>
  writer.delimited(() => put(writer, 2, text, yamlOf(value)))

function yamlOf(value: Json): string {
  if (isJsonObject(value)) return toYaml(value)
  const prefix = 'v:'
  return toYaml({ v: value }).slice(prefix.length).trimStart()
}

export function put(
  writer: ProtobufWriter,
  number: number,
  write: Write,
  value: Json,
  wire: WireType = WireType.Delimited,
): void {
  write(writer, value)
  writer.tag(number, wire)
}

export function encode(document: JsonObject, fields: Field[]): Uint8Array {
  const writer = new ProtobufWriter()
  writeFields(writer, document, fields)
  return writer.finish()
}

/** Extensions have the highest number. */
function writeFields(writer: ProtobufWriter, object: JsonObject, fields: Field[]): void {
  for (const [number, member, write, wire] of [...fields].sort(([a], [b]) => b - a)) {
    if (member === EXTENSIONS) {
      for (const [name, value] of Object.entries(object).reverse())
        if (name.startsWith('x-')) put(writer, number, pair(name, any), value)
      continue
    }
    const value = object[member]
    if (
      value === undefined ||
      (write === flag && value === false) ||
      (write === text && value === '') ||
      ((write === count || write === double) && value === 0)
    )
      continue
    const values = Array.isArray(value) ? [...value].reverse() : [value]
    for (const one of values) put(writer, number, write, one, wire)
  }
}
