/** Reads and writes objects as Protobuf. See kubernetes.io, "Kubernetes Protobuf encoding". */
import { PROTOBUF_MAGIC } from '../../core/names'
import { type JsonObject, type KubeObject, parseApiVersion } from '../../core/object'
import type { ReleaseTables } from '../../release-tables/tables'
import { type Messages, messageOf, messagesOf } from './messages'
import { ProtobufError, ProtobufReader } from './reader'
import { eachField, wrongWireType } from './well-known'
import { ProtobufWriter, WireType } from './writer'

export { ProtobufError } from './reader'

const ENVELOPE = { typeMeta: 1, raw: 2, contentEncoding: 3, contentType: 4 } as const
/** In errors, by field number. */
const ENVELOPE_FIELDS = [undefined, 'TypeMeta', 'Raw', 'ContentEncoding', 'ContentType']
const TYPE_META = 'k8s.io.apimachinery.pkg.runtime.TypeMeta'
const META_PACKAGE = 'k8s.io.apimachinery.pkg.apis.meta'

/**
 * @param tables of the emulated release
 * @throws ProtobufError for kinds without Protobuf (custom resources, Table)
 */
export function encodeProtobuf(
  document: JsonObject | KubeObject,
  tables?: ReleaseTables,
): Uint8Array {
  const writer = new ProtobufWriter()
  writeEnvelope(writer, document as JsonObject, messagesOf(tables))
  return writer.finish()
}

/** A length of four bytes (big-endian), then a WatchEvent whose object is in an envelope. */
export function encodeProtobufFrame(
  type: string,
  object: JsonObject | KubeObject,
  tables?: ReleaseTables,
): Uint8Array {
  const writer = new ProtobufWriter()
  writer.delimited(() => {
    writer.delimited(() => writeEnvelope(writer, object as JsonObject, messagesOf(tables)))
    writer.tag(1, WireType.Delimited)
  })
  writer.tag(2, WireType.Delimited)
  writer.delimited(() => writer.text(type))
  writer.tag(1, WireType.Delimited)
  const { size } = writer
  writer.bytes([size >>> 24, (size >>> 16) & 0xff, (size >>> 8) & 0xff, size & 0xff])
  return writer.finish()
}

export interface Envelope {
  apiVersion: string
  kind: string
  raw: Uint8Array
}

/** Messages are from k8s.io/apimachinery, runtime/serializer/protobuf. @throws ProtobufError */
export function envelopeOf(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError('empty data')
  if (PROTOBUF_MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${PROTOBUF_MAGIC.join(' ')}]`,
    )
  }
  if (bytes.length === PROTOBUF_MAGIC.length) throw new ProtobufError('empty body')
  const reader = new ProtobufReader(bytes, PROTOBUF_MAGIC.length, bytes.length, 'Unknown')
  let typeMeta: JsonObject = {}
  let raw: Uint8Array = new Uint8Array()
  eachField(reader, (number, wire) => {
    const name = ENVELOPE_FIELDS[number]
    if (name !== undefined && wire !== WireType.Delimited) throw wrongWireType(wire, name)
    if (number === ENVELOPE.typeMeta)
      typeMeta = messagesOf().readMessage(TYPE_META, reader.bytes(), typeMeta)
    else if (number === ENVELOPE.raw) raw = reader.bytes()
    else reader.skip(wire)
  })
  return { apiVersion: String(typeMeta.apiVersion ?? ''), kind: String(typeMeta.kind ?? ''), raw }
}

/** @throws ProtobufError */
export function decodeProtobuf(
  bytes: Uint8Array,
  tables?: ReleaseTables,
): {
  apiVersion: string
  kind: string
  object: KubeObject
} {
  const envelope = envelopeOf(bytes)
  const { apiVersion, kind } = envelope
  return { apiVersion, kind, object: opened(envelope, tables) }
}

export function opened({ apiVersion, kind, raw }: Envelope, tables?: ReleaseTables): KubeObject {
  const messages = messagesOf(tables)
  return {
    kind,
    apiVersion,
    ...messages.readMessage(messageIn(messages, apiVersion, kind), raw),
  } as unknown as KubeObject
}

function writeEnvelope(writer: ProtobufWriter, document: JsonObject, messages: Messages): void {
  const kind = String(document.kind ?? '')
  const apiVersion = String(document.apiVersion ?? '')
  const codec = messages.codecOf(messageIn(messages, apiVersion, kind))
  for (const number of [ENVELOPE.contentType, ENVELOPE.contentEncoding]) {
    writer.varint(0)
    writer.tag(number, WireType.Delimited)
  }
  codec.write(writer, document)
  writer.tag(ENVELOPE.raw, WireType.Delimited)
  messages.codecOf(TYPE_META).write(writer, { apiVersion, kind })
  writer.tag(ENVELOPE.typeMeta, WireType.Delimited)
  writer.bytes(PROTOBUF_MAGIC)
}

/** An unknown kind, or one without Protobuf messages. */
export class UnknownKind extends ProtobufError {}

/** Found by type, else by name in packages without types. @throws ProtobufError */
export function messageOfKind(apiVersion: string, kind: string): string {
  return messageIn(messagesOf(), apiVersion, kind)
}

function messageIn(messages: Messages, apiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(apiVersion)
  const type = messages.typeOfKind({ group, version, kind })
  const candidates = type
    ? [messageOf(type.name)]
    : [
        `k8s.io.api.${group.split('.')[0]}.${version}.${kind}`,
        `${META_PACKAGE}.${version}.${kind}`,
        `${META_PACKAGE}.v1.${kind}`,
      ]
  const message = candidates.find((name) => messages.isMessage(name))
  if (message === undefined)
    throw new UnknownKind(`no kind "${kind}" of version "${apiVersion}" is known in Protobuf`)
  return message
}
