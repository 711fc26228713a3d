/** Codecs, compiled from the type model (pointers) and Protobuf tables (numbers, types). */

import { memoizeByIdentity } from '../../core/identity-memo'
import {
  entryOf,
  type GroupVersionKind,
  isJsonObject,
  type Json,
  type JsonObject,
  setMember,
} from '../../core/object'
import { protobufMessages } from '../../generated/protobuf'
import type { ReleaseTables } from '../../release-tables/tables'
import { kindOfEveryRelease, namedTypeOfEveryRelease } from '../../schema/every-release'
import { goFieldName } from '../../schema/go-names'
import type { Field, StructType } from '../../schema/model'
import { ProtobufReader } from './reader'
import {
  boolean,
  bytes,
  double,
  eachField,
  integer,
  messageCodec,
  shortInteger,
  text,
  type ValueCodec,
  wellKnown,
  wrongWireType,
} from './well-known'
import { type ProtobufWriter, WireType } from './writer'

type Shape = 'single' | 'list' | 'map' | 'inline'

interface FieldPlan {
  number: number
  /** Empty for an embedded structure, whose members belong to the enclosing object. */
  name: string
  /** The Go name, for errors. */
  goName: string
  shape: Shape
  codec: ValueCodec
  embedded?: MessagePlan
  /** Written even if empty: the member is not a pointer. */
  always: boolean
}

interface MessagePlan {
  name: string
  /** By descending number: the writer begins at the end. */
  fields: FieldPlan[]
  byNumber: Map<number, FieldPlan>
  struct: StructType | undefined
}

const SCALARS: Record<string, ValueCodec> = {
  string: text,
  bool: boolean,
  int32: shortInteger,
  int64: integer,
  double,
  bytes,
}

/** `io.k8s.api.core.v1.Pod` -> `k8s.io.api.core.v1.Pod`; hyphens become underscores. */
export const messageOf = (typeName: string): string =>
  typeName.replace(/^io\.k8s\./, 'k8s.io.').replaceAll('-', '_')
const typeOf = (message: string): string =>
  message
    .replace(/^k8s\.io\./, 'io.k8s.')
    .replace('apiextensions_apiserver', 'apiextensions-apiserver')
    .replace('kube_aggregator', 'kube-aggregator')

const shortName = (message: string): string => message.slice(message.lastIndexOf('.') + 1)

/** Codecs are created on first use. */
export class Messages {
  private readonly plans = new Map<string, MessagePlan>()
  private readonly codecs = new Map<string, ValueCodec>()

  constructor(private readonly tables?: ReleaseTables) {}

  private get numbers() {
    return this.tables?.table('protobuf') ?? protobufMessages()
  }

  isMessage(name: string): boolean {
    return Object.hasOwn(this.numbers, name)
  }

  /** Also finds types of other releases. */
  typeOfKind(kind: GroupVersionKind): StructType | undefined {
    return kindOfEveryRelease(kind, this.tables)
  }

  readonly codecOf = (type: string): ValueCodec => {
    let codec = entryOf(SCALARS, type) ?? this.codecs.get(type)
    if (codec === undefined) {
      codec =
        wellKnown(type, this.codecOf) ??
        messageCodec(
          shortName(type),
          (writer, value) =>
            writeFields(writer, this.planOf(type), isJsonObject(value) ? value : {}),
          (reader, before) =>
            readObject(reader, this.planOf(type), isJsonObject(before) ? before : {}),
          {},
        )
      this.codecs.set(type, codec)
    }
    return codec
  }

  /**
   * @param found members of an earlier part, which is consumed
   * @throws ProtobufError
   */
  readMessage(message: string, bytes: Uint8Array, found: JsonObject = {}): JsonObject {
    const plan = this.planOf(message)
    return readObject(new ProtobufReader(bytes, 0, bytes.length, plan.name), plan, found)
  }

  private planOf(message: string): MessagePlan {
    let plan = this.plans.get(message)
    if (plan === undefined) {
      const type = namedTypeOfEveryRelease(typeOf(message), this.tables)
      plan = this.compile(message, type?.type === 'struct' ? type : undefined)
      this.plans.set(message, plan)
    }
    return plan
  }

  /** @param struct without it, fields keep their own names */
  private compile(message: string, struct: StructType | undefined): MessagePlan {
    const members = new Map(struct?.fields.map((field) => [plainName(field.name), field]))
    const fields = Object.entries(entryOf(this.numbers, message) ?? {}).map(
      ([name, [number, type]]): FieldPlan => {
        const member = members.get(plainName(name))
        const goName = goNameOf(message, member?.name ?? name)
        if (struct !== undefined && member === undefined && this.isMessage(type))
          return { ...this.embeddedField(number, type, struct), goName }
        return {
          number,
          name: member?.name ?? name,
          goName,
          ...this.shapeOf(type),
          always: isAlwaysWritten(type, member),
        }
      },
    )
    fields.sort((a, b) => b.number - a.number)
    return {
      name: shortName(message),
      fields,
      byNumber: new Map(fields.map((field) => [field.number, field])),
      struct,
    }
  }

  private embeddedField(
    number: number,
    type: string,
    struct: StructType,
  ): Omit<FieldPlan, 'goName'> {
    return {
      number,
      name: '',
      shape: 'inline',
      codec: this.codecOf(type),
      embedded: this.compile(type, struct),
      always: true,
    }
  }

  private shapeOf(type: string): { shape: Shape; codec: ValueCodec } {
    const values = /^map<string,(.*)>$/.exec(type)?.[1]
    if (values !== undefined) return { shape: 'map', codec: this.codecOf(values) }
    return type.endsWith('[]')
      ? { shape: 'list', codec: this.codecOf(type.slice(0, -2)) }
      : { shape: 'single', codec: this.codecOf(type) }
  }
}

const releaseMessages = memoizeByIdentity((tables: ReleaseTables) => new Messages(tables))
const BASE_MESSAGES = new Messages()

/** Of the base release if absent. */
export function messagesOf(tables?: ReleaseTables): Messages {
  return tables === undefined || tables.isBase ? BASE_MESSAGES : releaseMessages(tables)
}

/** `Webhooks` is `webhooks`, `xKubernetesListType` is `x-kubernetes-list-type`, `ref` is `$ref`. */
const plainName = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()

/** Values are, pointers and bytes are not. Types outside the model have pointers to messages. */
function isAlwaysWritten(type: string, member: Field | undefined): boolean {
  if (type === 'bytes') return false
  if (member !== undefined) return !member.pointer
  return Object.hasOwn(SCALARS, type) || type.endsWith('Meta')
}

function writeFields(writer: ProtobufWriter, plan: MessagePlan, object: JsonObject): void {
  for (const field of plan.fields) {
    if (field.embedded) {
      const { embedded } = field
      writer.delimited(() => writeFields(writer, embedded, object))
      writer.tag(field.number, WireType.Delimited)
    } else writeField(writer, field, object[field.name])
  }
}

function writeField(
  writer: ProtobufWriter,
  { number, shape, codec, always }: FieldPlan,
  value: Json | undefined,
): void {
  if (shape === 'list') {
    const items = (value ?? []) as Json[]
    for (let i = items.length - 1; i >= 0; i--) writeValue(writer, number, codec, items[i] as Json)
  } else if (shape === 'map') {
    const entries = Object.entries((value ?? {}) as JsonObject)
    for (let i = entries.length - 1; i >= 0; i--) {
      const [key, item] = entries[i] as [string, Json]
      writer.delimited(() => {
        writeValue(writer, 2, codec, item)
        writeValue(writer, 1, text, key)
      })
      writer.tag(number, WireType.Delimited)
    }
  } else if (value !== undefined && value !== null) writeValue(writer, number, codec, value)
  else if (always) writeValue(writer, number, codec, codec.zero)
}

function writeValue(writer: ProtobufWriter, number: number, codec: ValueCodec, value: Json): void {
  codec.write(writer, value)
  writer.tag(number, codec.wire)
}

function readObject(reader: ProtobufReader, plan: MessagePlan, found: JsonObject): JsonObject {
  readFields(reader, plan, found)
  return plan.struct === undefined ? found : inOrder(found, plan.struct)
}

function readFields(reader: ProtobufReader, plan: MessagePlan, into: JsonObject): void {
  eachField(reader, (number, wire) => {
    const field = plan.byNumber.get(number)
    if (field === undefined) return reader.skip(wire)
    const packed =
      field.shape === 'list' &&
      field.codec.wire !== WireType.Delimited &&
      wire === WireType.Delimited
    if (!packed && wire !== wireOf(field)) throw wrongWireType(wire, field.goName)
    if (field.embedded) readFields(reader.message(field.embedded.name), field.embedded, into)
    else if (packed) readPacked(reader.message(), field.codec, (into[field.name] ??= []) as Json[])
    else if (field.shape === 'list')
      ((into[field.name] ??= []) as Json[]).push(field.codec.read(reader))
    else if (field.shape === 'map')
      readEntry(reader, field.codec, (into[field.name] ??= {}) as JsonObject)
    else into[field.name] = field.codec.read(reader, into[field.name])
  })
}

const wireOf = ({ shape, codec }: FieldPlan): WireType =>
  shape === 'map' || shape === 'inline' ? WireType.Delimited : codec.wire

function goNameOf(message: string, name: string): string {
  const structure = shortName(message)
  return name === 'metadata' && structure.endsWith('List')
    ? 'ListMeta'
    : goFieldName(structure, name)
}

/** Both forms are valid (the encoding guide, "Packed Repeated Fields"). */
function readPacked(reader: ProtobufReader, codec: ValueCodec, into: Json[]): void {
  while (!reader.done) into.push(codec.read(reader))
}

function readEntry(reader: ProtobufReader, codec: ValueCodec, into: JsonObject): void {
  let key = ''
  let value: Json | undefined
  reader.entry((number) => {
    if (number === 1) key = reader.text()
    else if (number === 2) value = codec.read(reader)
    return number === 1 || number === 2
  })
  setMember(into, key, value ?? codec.zero)
}

/** Members in the type's order, maps sorted, empty members as required. */
function inOrder(found: JsonObject, struct: StructType): JsonObject {
  const object: JsonObject = {}
  for (const field of struct.fields) {
    const value = found[field.name]
    if (value === undefined || (!field.pointer && isZero(value))) {
      if (field.whenEmpty === 'zero') object[field.name] = zeroOf(field)
    } else object[field.name] = field.type.type === 'map' ? sorted(value as JsonObject) : value
  }
  return object
}

const isZero = (value: Json): boolean =>
  value === '' || value === 0 || value === false || value === null

/** As Go encodes an unset member. */
function zeroOf({ type, pointer }: Field): Json {
  if (pointer || type.type === 'map' || type.type === 'list' || type.type === 'any') return null
  if (type.type === 'struct') return inOrder({}, type)
  switch (type.format) {
    case 'string':
      return ''
    case 'boolean':
      return false
    case 'quantity':
      return '0'
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0
    default:
      return null
  }
}

function sorted(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)))
}
