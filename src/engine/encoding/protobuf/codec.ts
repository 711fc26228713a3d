/** Objects as Protobuf: the envelope, lists, and the frames of a watch (document 1, "Wire formats", rule 5; bytes recorded). */
import { PROTOBUF_MAGIC } from '../../names'
import { type JsonObject, type KubeObject, parseApiVersion } from '../../object'
import { kindOfEveryRelease } from '../../schema/every-release'
import { codecOf, isMessage, messageOf, readMessage } from './messages'
import { ProtobufError, ProtobufReader } from './reader'
import { eachField } from './well-known'
import { ProtobufWriter, WireType } from './writer'

export { ProtobufError } from './reader'

/** Numbers of the envelope's fields. */
const ENVELOPE = { typeMeta: 1, raw: 2, contentEncoding: 3, contentType: 4 } as const
const TYPE_META = 'k8s.io.apimachinery.pkg.runtime.TypeMeta'
const META_PACKAGE = 'k8s.io.apimachinery.pkg.apis.meta'

/**
 * A canonical object of a built-in kind, a list of them, a Status or a metadata-only object.
 * @throws ProtobufError for kinds without Protobuf (custom resources, Table)
 */
export function encodeProtobuf(document: JsonObject | KubeObject): Uint8Array {
  const writer = new ProtobufWriter()
  writeEnvelope(writer, document as JsonObject)
  return writer.finish()
}

/** One event of a watch: four bytes of length (big-endian), then a bare WatchEvent whose object is in an envelope. */
export function encodeProtobufFrame(type: string, object: JsonObject | KubeObject): Uint8Array {
  const writer = new ProtobufWriter()
  writer.delimited(() => {
    writer.delimited(() => writeEnvelope(writer, object as JsonObject))
    writer.tag(1, WireType.Delimited)
  })
  writer.tag(2, WireType.Delimited)
  writer.delimited(() => writer.text(type))
  writer.tag(1, WireType.Delimited)
  const { size } = writer
  writer.bytes([size >>> 24, (size >>> 16) & 0xff, (size >>> 8) & 0xff, size & 0xff])
  return writer.finish()
}

/** The object with its kind and apiVersion. @throws ProtobufError */
export function decodeProtobuf(bytes: Uint8Array): { apiVersion: string; kind: string; object: KubeObject } {
  if (PROTOBUF_MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new ProtobufError(`provided data does not appear to be a protobuf message, expected prefix [${PROTOBUF_MAGIC.join(' ')}]`)
  }
  const reader = new ProtobufReader(bytes, PROTOBUF_MAGIC.length)
  let typeMeta: JsonObject = {}
  let raw: Uint8Array = new Uint8Array()
  eachField(reader, (number, wire) => {
    if (number === ENVELOPE.typeMeta && wire === WireType.Delimited) typeMeta = readMessage(TYPE_META, reader.message())
    else if (number === ENVELOPE.raw && wire === WireType.Delimited) raw = reader.bytes()
    else reader.skip(wire)
  })
  const apiVersion = String(typeMeta.apiVersion ?? '')
  const kind = String(typeMeta.kind ?? '')
  const members = readMessage(messageOfKind(apiVersion, kind), new ProtobufReader(raw))
  return { apiVersion, kind, object: { kind, apiVersion, ...members } as unknown as KubeObject }
}

function writeEnvelope(writer: ProtobufWriter, document: JsonObject): void {
  const kind = String(document.kind ?? '')
  const apiVersion = String(document.apiVersion ?? '')
  const codec = codecOf(messageOfKind(apiVersion, kind))
  for (const number of [ENVELOPE.contentType, ENVELOPE.contentEncoding]) {
    writer.varint(0)
    writer.tag(number, WireType.Delimited)
  }
  codec.write(writer, document)
  writer.tag(ENVELOPE.raw, WireType.Delimited)
  codecOf(TYPE_META).write(writer, { apiVersion, kind })
  writer.tag(ENVELOPE.typeMeta, WireType.Delimited)
  writer.bytes(PROTOBUF_MAGIC)
}

/** The message of a kind: by its type, else by its name in the packages that hold kinds without one. @throws ProtobufError */
export function messageOfKind(apiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(apiVersion)
  const type = kindOfEveryRelease({ group, version, kind })
  const candidates = type
    ? [messageOf(type.name)]
    : [`k8s.io.api.${group.split('.')[0]}.${version}.${kind}`, `${META_PACKAGE}.${version}.${kind}`, `${META_PACKAGE}.v1.${kind}`]
  const message = candidates.find(isMessage)
  if (message === undefined) throw new ProtobufError(`no kind "${kind}" of version "${apiVersion}" is known in Protobuf`)
  return message
}
