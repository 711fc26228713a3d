/** Messages whose JSON is not an object of their fields. */
import { entryOf, isJsonObject, type Json, type JsonObject, setMember } from '../../core/object'
import { JsonSyntaxError, readJson } from '../../schema/json-reader'
import { MOST_NESTED } from '../../schema/nesting'
import { ProtobufError, type ProtobufReader } from './reader'
import { type ProtobufWriter, WireType } from './writer'

/** One value without its tag; delimited values with their length. */
export interface ValueCodec {
  wire: WireType
  write(writer: ProtobufWriter, value: Json): void
  /** @param before parts of a split message are merged */
  read(reader: ProtobufReader, before?: Json): Json
  /** Of an unset member that is always written. */
  zero: Json
}

export function messageCodec(
  name: string,
  write: (writer: ProtobufWriter, value: Json) => void,
  read: (reader: ProtobufReader, before: Json | undefined) => Json,
  zero: Json,
): ValueCodec {
  return {
    wire: WireType.Delimited,
    write: (writer, value) => writer.delimited(() => write(writer, value)),
    read: (reader, before) => read(reader.message(name), before),
    zero,
  }
}

export const wrongWireType = (wire: WireType, name: string): ProtobufError =>
  new ProtobufError(`proto: wrong wireType = ${wire} for field ${name}`)

export function eachField(
  reader: ProtobufReader,
  visit: (number: number, wire: WireType) => void,
): void {
  while (!reader.done) {
    const { number, wire } = reader.tag()
    visit(number, wire)
  }
}

export const text: ValueCodec = {
  wire: WireType.Delimited,
  write: (writer, value) => writer.delimited(() => writer.text(value as string)),
  read: (reader) => reader.text(),
  zero: '',
}

export const boolean: ValueCodec = {
  wire: WireType.Varint,
  write: (writer, value) => writer.varint(value ? 1 : 0),
  read: (reader) => reader.varint() !== 0,
  zero: false,
}

export const integer: ValueCodec = {
  wire: WireType.Varint,
  write: (writer, value) => writer.varint(value as number),
  read: (reader) => reader.varint(),
  zero: 0,
}

export const shortInteger: ValueCodec = { ...integer, read: (reader) => reader.int32() }

export const double: ValueCodec = {
  wire: WireType.Fixed64,
  write: (writer, value) => writer.double(value as number),
  read: (reader) => reader.double(),
  zero: 0,
}

/** Base64 in JSON. */
export const bytes: ValueCodec = {
  wire: WireType.Delimited,
  write: (writer, value) =>
    writer.delimited(() =>
      writer.bytes(Uint8Array.from(atob(value as string), (sign) => sign.charCodeAt(0))),
    ),
  read: (reader) => btoa(Array.from(reader.bytes(), (byte) => String.fromCharCode(byte)).join('')),
  zero: null,
}

/** Name in Go; lists are decoded item by item. */
type Known = readonly [name: string, codec: ValueCodec, shape?: 'list']

function readKnown(
  reader: ProtobufReader,
  fields: Readonly<Record<number, Known>>,
  found: JsonObject = {},
): JsonObject {
  eachField(reader, (number, wire) => {
    const field = fields[number]
    if (field === undefined) return reader.skip(wire)
    const [name, codec, shape] = field
    if (wire !== codec.wire) throw wrongWireType(wire, name)
    if (shape === 'list') ((found[name] ??= []) as Json[]).push(codec.read(reader))
    else setMember(found, name, codec.read(reader, found[name]))
  })
  return found
}

function field(writer: ProtobufWriter, number: number, codec: ValueCodec, value: Json): void {
  codec.write(writer, value)
  writer.tag(number, codec.wire)
}

/** Year 9999 is the maximum of RFC 3339, year 0 the minimum. */
const LAST_SECOND = 253_402_300_799

/** An unset time is an empty message. */
function timeCodec(decimals: 0 | 6): ValueCodec {
  return messageCodec(
    'Timestamp',
    (writer, value) => {
      if (typeof value !== 'string') return
      const fraction = /\.(\d+)/.exec(value)?.[1] ?? ''
      field(
        writer,
        2,
        integer,
        decimals === 0 ? 0 : Number(fraction.slice(0, decimals).padEnd(9, '0')),
      )
      field(writer, 1, integer, Math.floor(Date.parse(value) / 1000))
    },
    (reader) => {
      if (reader.done) return null
      const { Seconds = 0, Nanos = 0 } = readKnown(reader, {
        1: ['Seconds', integer],
        2: ['Nanos', shortInteger],
      }) as Record<string, number>
      return textOfTime(Seconds, decimals === 0 ? 0 : Nanos, decimals)
    },
    null,
  )
}

function textOfTime(seconds: number, nanoseconds: number, decimals: number): string {
  const whole = seconds + Math.floor(nanoseconds / 1e9)
  if (Math.abs(whole) > LAST_SECOND)
    throw new ProtobufError(`proto: ${whole} seconds are out of range for a time`)
  const text = new Date(whole * 1000).toISOString().slice(0, 19)
  const fraction = String(((nanoseconds % 1e9) + 1e9) % 1e9).padStart(9, '0')
  return decimals === 0 ? `${text}Z` : `${text}.${fraction.slice(0, decimals)}Z`
}

const quantity = messageCodec(
  'Quantity',
  (writer, value) => field(writer, 1, text, String(value)),
  (reader, before = '0') => readKnown(reader, { 1: ['String_', text] }).String_ ?? before,
  '0',
)

const INT_OR_STRING: Record<number, Known> = {
  1: ['Type', integer],
  2: ['IntVal', shortInteger],
  3: ['StrVal', text],
}

const intOrString = messageCodec(
  'IntOrString',
  (writer, value) => {
    const isText = typeof value === 'string'
    field(writer, 3, text, isText ? value : '')
    field(writer, 2, integer, isText ? 0 : value)
    field(writer, 1, integer, isText ? 1 : 0)
  },
  (reader, before = 0) => {
    const decoded: JsonObject =
      typeof before === 'string' ? { Type: 1, StrVal: before } : { IntVal: before }
    const { Type, IntVal = 0, StrVal = '' } = readKnown(reader, INT_OR_STRING, decoded)
    return Type === 1 ? StrVal : IntVal
  },
  0,
)

/** null is an empty message. @param misread converts text that is not JSON */
const rawJson = (name: string, misread?: (text: string) => Json): ValueCodec =>
  messageCodec(
    name,
    (writer, value) => {
      if (value !== null && value !== undefined) field(writer, 1, text, JSON.stringify(value))
    },
    (reader, before = null) => {
      const { Raw } = readKnown(reader, { 1: ['Raw', text] })
      if (Raw === undefined) return before
      return Raw === '' ? null : parsed(Raw as string, misread)
    },
    null,
  )

function parsed(json: string, misread: ((text: string) => Json) | undefined): Json {
  try {
    return readJson(json, MOST_NESTED).value
  } catch (error) {
    if (misread !== undefined && error instanceof JsonSyntaxError) return misread(json)
    throw error instanceof JsonSyntaxError ? new ProtobufError(error.message) : error
  }
}

const textList = (name: string): ValueCodec =>
  messageCodec(
    name,
    (writer, value) => {
      for (const item of [...(value as string[])].reverse()) field(writer, 1, text, item)
    },
    (reader, before) =>
      readKnown(
        reader,
        { 1: ['Items', text, 'list'] },
        Array.isArray(before) ? { Items: before } : {},
      ).Items ?? [],
    null,
  )

function schemaOrList(
  name: string,
  schema: ValueCodec,
  [items, item]: readonly [name: string, item: ValueCodec],
): ValueCodec {
  return messageCodec(
    name,
    (writer, value) => {
      if (isJsonObject(value)) field(writer, 1, schema, value)
      else for (const one of [...(value as Json[])].reverse()) field(writer, 2, item, one)
    },
    (reader, before) => {
      const decoded: JsonObject = Array.isArray(before)
        ? { [items]: before }
        : isJsonObject(before)
          ? { Schema: before }
          : {}
      const found = readKnown(reader, { 1: ['Schema', schema], 2: [items, item, 'list'] }, decoded)
      return found.Schema ?? found[items] ?? []
    },
    null,
  )
}

/** A schema implies true. */
function schemaOrFlag(name: string, schema: ValueCodec): ValueCodec {
  return messageCodec(
    name,
    (writer, value) => {
      if (isJsonObject(value)) field(writer, 2, schema, value)
      field(writer, 1, boolean, value !== false)
    },
    (reader, before = false) => {
      const decoded: JsonObject = isJsonObject(before) ? { Schema: before } : { Allows: before }
      const { Allows = false, Schema } = readKnown(
        reader,
        { 1: ['Allows', boolean], 2: ['Schema', schema] },
        decoded,
      )
      return Schema ?? Allows
    },
    null,
  )
}

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1.'

const WELL_KNOWN: Record<string, ValueCodec> = {
  [`${META}Time`]: timeCodec(0),
  [`${META}MicroTime`]: timeCodec(6),
  // Text that is not JSON has no fields, so the entry is dropped. Recorded from kube-apiserver
  // 1.31.
  [`${META}FieldsV1`]: rawJson('FieldsV1', (text) => text),
  [`${META}Verbs`]: textList('Verbs'),
  'k8s.io.apimachinery.pkg.runtime.RawExtension': rawJson('RawExtension'),
  'k8s.io.apimachinery.pkg.api.resource.Quantity': quantity,
  'k8s.io.apimachinery.pkg.util.intstr.IntOrString': intOrString,
}

/** undefined without a JSON form of its own. */
export function wellKnown(
  message: string,
  codecOf: (message: string) => ValueCodec,
): ValueCodec | undefined {
  const [, scope = '', name = ''] = /^(.*\.)([^.]*)$/.exec(message) ?? []
  const schema = () => codecOf(`${scope}JSONSchemaProps`)
  switch (name) {
    case 'ExtraValue':
      return textList(name)
    case 'JSON':
      return rawJson(name)
    case 'JSONSchemaPropsOrArray':
      return schemaOrList(name, schema(), ['JSONSchemas', schema()])
    case 'JSONSchemaPropsOrStringArray':
      return schemaOrList(name, schema(), ['Property', text])
    case 'JSONSchemaPropsOrBool':
      return schemaOrFlag(name, schema())
    default:
      return entryOf(WELL_KNOWN, message)
  }
}
