/** Messages whose JSON is no object of their fields: times, quantities, raw JSON and what may be one thing or another. */
import { isJsonObject, type Json } from '../../object'
import { JsonSyntaxError, readJson } from '../../schema/json-reader'
import { MOST_NESTED } from '../../schema/nesting'
import { ProtobufError, type ProtobufReader } from './reader'
import { type ProtobufWriter, WireType } from './writer'

/** How one value is written and read, without its tag; delimited values with their length. */
export interface ValueCodec {
  wire: WireType
  write(writer: ProtobufWriter, value: Json): void
  read(reader: ProtobufReader): Json
  /** What stands for a value that is not there, where one is always written. */
  zero: Json
}

/** A codec of a message, from functions that write and read its fields. @param name as errors name it */
export function messageCodec(
  name: string,
  write: (writer: ProtobufWriter, value: Json) => void,
  read: (reader: ProtobufReader) => Json,
  zero: Json,
): ValueCodec {
  return {
    wire: WireType.Delimited,
    write: (writer, value) => writer.delimited(() => write(writer, value)),
    read: (reader) => read(reader.message(name)),
    zero,
  }
}

/** Calls back for every field of the message. */
export function eachField(reader: ProtobufReader, visit: (number: number, wire: WireType) => void): void {
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

export const double: ValueCodec = {
  wire: WireType.Fixed64,
  write: (writer, value) => writer.double(value as number),
  read: (reader) => reader.double(),
  zero: 0,
}

/** Base64 in JSON. */
export const bytes: ValueCodec = {
  wire: WireType.Delimited,
  write: (writer, value) => writer.delimited(() => writer.bytes(Uint8Array.from(atob(value as string), (sign) => sign.charCodeAt(0)))),
  read: (reader) => btoa(Array.from(reader.bytes(), (byte) => String.fromCharCode(byte)).join('')),
  zero: null,
}

/** The field of a message that has only one; its default if the message is empty. */
function only(reader: ProtobufReader, codec: ValueCodec, missing: Json): Json {
  let value = missing
  eachField(reader, (number, wire) => {
    if (number === 1 && wire === codec.wire) value = codec.read(reader)
    else reader.skip(wire)
  })
  return value
}

function field(writer: ProtobufWriter, number: number, codec: ValueCodec, value: Json): void {
  codec.write(writer, value)
  writer.tag(number, codec.wire)
}

/** The last second of the year 9999, the last that texts of times have (RFC 3339); before the year 0 there is as little. */
const LAST_SECOND = 253_402_300_799

/** Seconds and nanoseconds; no time at all is an empty message. */
function timeCodec(decimals: 0 | 6): ValueCodec {
  return messageCodec(
    'Timestamp',
    (writer, value) => {
      if (typeof value !== 'string') return
      const fraction = /\.(\d+)/.exec(value)?.[1] ?? ''
      field(writer, 2, integer, decimals === 0 ? 0 : Number(fraction.slice(0, decimals).padEnd(9, '0')))
      field(writer, 1, integer, Math.floor(Date.parse(value) / 1000))
    },
    (reader) => {
      let seconds: number | undefined
      let nanoseconds = 0
      eachField(reader, (number, wire) => {
        if (number === 1 && wire === WireType.Varint) seconds = reader.varint()
        else if (number === 2 && wire === WireType.Varint) nanoseconds = reader.varint()
        else reader.skip(wire)
      })
      if (seconds === undefined) return null
      if (Math.abs(seconds) > LAST_SECOND) throw new ProtobufError(`proto: ${seconds} seconds are no time that can be shown`)
      const whole = new Date(seconds * 1000).toISOString().slice(0, 19)
      return decimals === 0 ? `${whole}Z` : `${whole}.${String(nanoseconds).padStart(9, '0').slice(0, decimals)}Z`
    },
    null,
  )
}

const quantity = messageCodec(
  'Quantity',
  (writer, value) => field(writer, 1, text, String(value)),
  (reader) => only(reader, text, '0'),
  '0',
)

/** Which of the two it is, then both. */
const intOrString = messageCodec(
  'IntOrString',
  (writer, value) => {
    const isText = typeof value === 'string'
    field(writer, 3, text, isText ? value : '')
    field(writer, 2, integer, isText ? 0 : value)
    field(writer, 1, integer, isText ? 1 : 0)
  },
  (reader) => {
    let isText = false
    let number = 0
    let words = ''
    eachField(reader, (at, wire) => {
      if (at === 1 && wire === WireType.Varint) isText = reader.varint() === 1
      else if (at === 2 && wire === WireType.Varint) number = reader.varint()
      else if (at === 3 && wire === WireType.Delimited) words = reader.text()
      else reader.skip(wire)
    })
    return isText ? words : number
  },
  0,
)

/** JSON as text. Nothing is an empty message. */
const rawJson = (name: string): ValueCodec =>
  messageCodec(
    name,
    (writer, value) => {
      if (value !== null && value !== undefined) field(writer, 1, text, JSON.stringify(value))
    },
    (reader) => {
      const json = only(reader, text, '')
      return json === '' ? null : parsed(json as string)
    },
    null,
  )

/** @throws ProtobufError */
function parsed(json: string): Json {
  try {
    return readJson(json, MOST_NESTED).value
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new ProtobufError(error.message) : error
  }
}

/** A named list of texts. */
const textList = (name: string): ValueCodec =>
  messageCodec(
    name,
    (writer, value) => {
      for (const item of [...(value as string[])].reverse()) field(writer, 1, text, item)
    },
    (reader) => {
      const items: string[] = []
      eachField(reader, (number, wire) => {
        if (number === 1 && wire === WireType.Delimited) items.push(reader.text())
        else reader.skip(wire)
      })
      return items
    },
    null,
  )

/** A schema, or a list of schemas or of names in its place. */
function schemaOrList(name: string, schema: ValueCodec, item: ValueCodec): ValueCodec {
  return messageCodec(
    name,
    (writer, value) => {
      if (isJsonObject(value)) field(writer, 1, schema, value)
      else for (const one of [...(value as Json[])].reverse()) field(writer, 2, item, one)
    },
    (reader) => {
      const items: Json[] = []
      let object: Json | undefined
      eachField(reader, (number, wire) => {
        if (number === 1 && wire === schema.wire) object = schema.read(reader)
        else if (number === 2 && wire === item.wire) items.push(item.read(reader))
        else reader.skip(wire)
      })
      return object ?? items
    },
    null,
  )
}

/** A schema, or whether anything is allowed in its place; a schema allows. */
function schemaOrFlag(name: string, schema: ValueCodec): ValueCodec {
  return messageCodec(
    name,
    (writer, value) => {
      if (isJsonObject(value)) field(writer, 2, schema, value)
      field(writer, 1, boolean, value !== false)
    },
    (reader) => {
      let allowed: Json = false
      let object: Json | undefined
      eachField(reader, (number, wire) => {
        if (number === 1 && wire === boolean.wire) allowed = boolean.read(reader)
        else if (number === 2 && wire === schema.wire) object = schema.read(reader)
        else reader.skip(wire)
      })
      return object ?? allowed
    },
    null,
  )
}

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1.'

const WELL_KNOWN: Record<string, ValueCodec> = {
  [`${META}Time`]: timeCodec(0),
  [`${META}MicroTime`]: timeCodec(6),
  [`${META}FieldsV1`]: rawJson('FieldsV1'),
  [`${META}Verbs`]: textList('Verbs'),
  'k8s.io.apimachinery.pkg.runtime.RawExtension': rawJson('RawExtension'),
  'k8s.io.apimachinery.pkg.api.resource.Quantity': quantity,
  'k8s.io.apimachinery.pkg.util.intstr.IntOrString': intOrString,
}

/**
 * The codec of a message that is not read field by field; undefined for all others.
 * @param codecOf the codec of any message
 */
export function wellKnown(message: string, codecOf: (message: string) => ValueCodec): ValueCodec | undefined {
  const [, scope = '', name = ''] = /^(.*\.)([^.]*)$/.exec(message) ?? []
  const schema = () => codecOf(`${scope}JSONSchemaProps`)
  switch (name) {
    case 'ExtraValue':
      return textList(name)
    case 'JSON':
      return rawJson(name)
    case 'JSONSchemaPropsOrArray':
      return schemaOrList(name, schema(), schema())
    case 'JSONSchemaPropsOrStringArray':
      return schemaOrList(name, schema(), text)
    case 'JSONSchemaPropsOrBool':
      return schemaOrFlag(name, schema())
    default:
      return WELL_KNOWN[message]
  }
}
