/** The fields of a document with their offsets, for users who inspect the bytes. */

import { PROTOBUF_MAGIC } from '../../core/names'
import { entryOf } from '../../core/object'
import { protobufMessages } from '../../generated/protobuf'
import { messageOfKind } from './codec'
import { ProtobufError, ProtobufReader } from './reader'
import { WireType } from './writer'

/** A repeated field occurs once for each item. */
export interface WireField {
  number: number
  /** Empty if unknown. */
  name: string
  /** `map<string,string>` for an entry of a map. */
  type: string
  start: number
  /** Offset of the value, after tag and length. */
  content: number
  end: number
  /** Of a scalar. */
  value?: string
  fields?: WireField[]
}

const ENVELOPE = 'k8s.io.apimachinery.pkg.runtime.Unknown'
const RAW = 2
const utf8 = new TextDecoder()

/**
 * @param bytes as in `application/vnd.kubernetes.protobuf`
 * @throws ProtobufError
 */
export function annotateProtobuf(bytes: Uint8Array): WireField[] {
  if (PROTOBUF_MAGIC.some((byte, index) => bytes[index] !== byte))
    throw new ProtobufError('the bytes do not begin as Protobuf of Kubernetes does')
  const fields = fieldsOf(new ProtobufReader(bytes, PROTOBUF_MAGIC.length), ENVELOPE)
  const typeMeta = fields.find(({ name }) => name === 'typeMeta')
  const text = (name: string): string =>
    JSON.parse(typeMeta?.fields?.find((field) => field.name === name)?.value ?? '""') as string
  return fields.map((field) => {
    if (field.number !== RAW) return field
    const type = messageOfKind(text('apiVersion'), text('kind'))
    const { value: _value, ...raw } = field
    return {
      ...raw,
      type,
      fields: fieldsOf(new ProtobufReader(bytes, field.content, field.end), type),
    }
  })
}

function fieldsOf(reader: ProtobufReader, message: string): WireField[] {
  const byNumber = new Map(
    Object.entries(entryOf(protobufMessages(), message) ?? {}).map(([name, [number, type]]) => [
      number,
      { name, type },
    ]),
  )
  const fields: WireField[] = []
  while (!reader.done) {
    const start = reader.at
    const { number, wire } = reader.tag()
    const { name = '', type = '' } = byNumber.get(number) ?? {}
    fields.push({ number, name, start, ...readValue(reader, wire, type.replace(/\[\]$/, '')) })
  }
  return fields
}

type Value = Pick<WireField, 'type' | 'content' | 'end' | 'value' | 'fields'>

function readValue(reader: ProtobufReader, wire: WireType, type: string): Value {
  if (wire !== WireType.Delimited) {
    const content = reader.at
    const value =
      wire === WireType.Varint
        ? scalarText(reader.varint(), type)
        : wire === WireType.Fixed64
          ? String(reader.double())
          : undefined
    if (value === undefined) reader.skip(wire)
    return { type, content, end: reader.at, ...(value === undefined ? {} : { value }) }
  }
  const values = /^map<string,(.*)>$/.exec(type)?.[1]
  if (values === undefined && !Object.hasOwn(protobufMessages(), type)) {
    const bytes = reader.bytes()
    const value = type === 'string' ? JSON.stringify(utf8.decode(bytes)) : `${bytes.length} bytes`
    return { type, content: reader.at - bytes.length, end: reader.at, value }
  }
  const inner = reader.message()
  const content = inner.at
  return {
    type,
    content,
    end: reader.at,
    fields: values === undefined ? fieldsOf(inner, type) : mapEntryFields(inner, values),
  }
}

function mapEntryFields(reader: ProtobufReader, values: string): WireField[] {
  const fields: WireField[] = []
  while (!reader.done) {
    const start = reader.at
    const { number, wire } = reader.tag()
    fields.push({
      number,
      name: number === 1 ? 'key' : 'value',
      start,
      ...readValue(reader, wire, number === 1 ? 'string' : values),
    })
  }
  return fields
}

const scalarText = (value: number, type: string): string =>
  type === 'bool' ? String(value !== 0) : String(value)
