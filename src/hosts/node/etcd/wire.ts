/**
 * etcd's v3 API as far as the storage needs it (etcd, api/etcdserverpb/rpc.proto and
 * api/mvccpb/kv.proto). Values are decoded only when needed.
 */
import { ProtobufReader } from '../../../engine/encoding/protobuf/reader'
import { ProtobufWriter, WireType } from '../../../engine/encoding/protobuf/writer'

export interface RangeRequest {
  key: string
  /** Exclusive; absent for a single key. */
  end?: string
  limit?: number
  /** The latest if absent. */
  revision?: number
  keysOnly?: boolean
  /** Only keys last changed at or before this revision. */
  maxModRevision?: number
}

export interface KeyValue {
  key: string
  createRevision: number
  modRevision: number
  value: Uint8Array
}

export interface RangeResponse {
  /** The revision of the whole store. */
  revision: number
  clusterId: string
  items: KeyValue[]
  /** Includes keys beyond the limit. */
  count: number
}

/** Succeeds if the key's last change is this revision; 0 means absent. */
export interface Compare {
  key: string
  modRevision: number
}

export type Operation =
  | { type: 'put'; key: string; value: string }
  | { type: 'delete'; key: string }
  | { type: 'range'; key: string; keysOnly?: boolean }

export interface TxnRequest {
  compare: Compare[]
  success: Operation[]
  failure: Operation[]
}

export interface TxnResponse {
  revision: number
  succeeded: boolean
  /** Range results of the executed branch, in order; empty for other operations. */
  ranges: KeyValue[][]
}

export interface WatchEvent extends KeyValue {
  deleted: boolean
}

export interface WatchResponse {
  events: WatchEvent[]
  created: boolean
  /** `compactRevision` is above 0 if the start revision is compacted. */
  canceled: boolean
  compactRevision: number
  reason: string
}

function encoded(write: (writer: ProtobufWriter) => void): Uint8Array {
  const writer = new ProtobufWriter()
  write(writer)
  return writer.finish()
}

// The writer works backwards: the last field comes first.

function text(writer: ProtobufWriter, field: number, value: string): void {
  writer.delimited(() => writer.text(value))
  writer.tag(field, WireType.Delimited)
}

function number(writer: ProtobufWriter, field: number, value: number | undefined): void {
  if (value === undefined) return
  writer.varint(value)
  writer.tag(field, WireType.Varint)
}

function message(writer: ProtobufWriter, field: number, write: () => void): void {
  writer.delimited(write)
  writer.tag(field, WireType.Delimited)
}

function writeRange(
  writer: ProtobufWriter,
  { key, end, limit, revision, keysOnly, maxModRevision }: RangeRequest,
): void {
  number(writer, 11, maxModRevision)
  if (keysOnly) number(writer, 8, 1)
  number(writer, 4, revision)
  number(writer, 3, limit)
  if (end !== undefined) text(writer, 2, end)
  text(writer, 1, key)
}

function writeOperation(writer: ProtobufWriter, operation: Operation): void {
  if (operation.type === 'range') message(writer, 1, () => writeRange(writer, operation))
  else if (operation.type === 'delete') message(writer, 3, () => text(writer, 1, operation.key))
  else
    message(writer, 2, () => {
      text(writer, 2, operation.value)
      text(writer, 1, operation.key)
    })
}

/** `Compare.CompareTarget` MOD: the revision of the last change. */
const MOD_REVISION = 2

function writeCompare(writer: ProtobufWriter, { key, modRevision }: Compare): void {
  number(writer, 6, modRevision)
  text(writer, 3, key)
  number(writer, 2, MOD_REVISION)
}

export const encodeRange = (request: RangeRequest): Uint8Array =>
  encoded((writer) => writeRange(writer, request))

export const encodeTxn = ({ compare, success, failure }: TxnRequest): Uint8Array =>
  encoded((writer) => {
    for (const operation of failure.toReversed())
      message(writer, 3, () => writeOperation(writer, operation))
    for (const operation of success.toReversed())
      message(writer, 2, () => writeOperation(writer, operation))
    for (const one of compare.toReversed()) message(writer, 1, () => writeCompare(writer, one))
  })

export const encodeCompaction = (revision: number): Uint8Array =>
  encoded((writer) => number(writer, 1, revision))

/** @param from the first revision to watch */
export const encodeWatch = (key: string, end: string, from: number): Uint8Array =>
  encoded((writer) =>
    message(writer, 1, () => {
      number(writer, 3, from)
      text(writer, 2, end)
      text(writer, 1, key)
    }),
  )

type FieldReader = (number: number, reader: ProtobufReader) => boolean

/** Skips fields for which `take` returns false. @throws ProtobufError */
function fields(reader: ProtobufReader, take: FieldReader): void {
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (!take(number, reader)) reader.skip(wire)
  }
}

const NOTHING = new Uint8Array()

function readKeyValue(reader: ProtobufReader): KeyValue {
  const found: KeyValue = { key: '', createRevision: 0, modRevision: 0, value: NOTHING }
  fields(reader, (field) => {
    if (field === 1) found.key = reader.text()
    else if (field === 2) found.createRevision = reader.varint()
    else if (field === 3) found.modRevision = reader.varint()
    else if (field === 5) found.value = reader.bytes()
    else return false
    return true
  })
  return found
}

function readHeader(reader: ProtobufReader, into: { revision: number; clusterId?: string }): void {
  fields(reader, (field) => {
    // An unsigned 64-bit number, which is only compared.
    if (field === 1 && into.clusterId !== undefined) into.clusterId = String(reader.varint())
    else if (field === 3) into.revision = reader.varint()
    else return false
    return true
  })
}

function readRange(reader: ProtobufReader): RangeResponse {
  const found: RangeResponse = { revision: 0, clusterId: '', items: [], count: 0 }
  fields(reader, (field) => {
    if (field === 1) readHeader(reader.message(), found)
    else if (field === 2) found.items.push(readKeyValue(reader.message()))
    else if (field === 4) found.count = reader.varint()
    else return false
    return true
  })
  return found
}

export const decodeRange = (bytes: Uint8Array): RangeResponse =>
  readRange(new ProtobufReader(bytes))

export function decodeTxn(bytes: Uint8Array): TxnResponse {
  const found: TxnResponse = { revision: 0, succeeded: false, ranges: [] }
  const reader = new ProtobufReader(bytes)
  fields(reader, (field) => {
    if (field === 1) readHeader(reader.message(), found)
    else if (field === 2) found.succeeded = reader.varint() !== 0
    else if (field === 3) found.ranges.push(readRangeOf(reader.message()))
    else return false
    return true
  })
  return found
}

/** Returns the items of a range operation; empty for other operations. */
function readRangeOf(operation: ProtobufReader): KeyValue[] {
  let items: KeyValue[] = []
  fields(operation, (field) => {
    if (field !== 1) return false
    items = readRange(operation.message()).items
    return true
  })
  return items
}

export function decodeWatch(bytes: Uint8Array): WatchResponse {
  const found: WatchResponse = {
    events: [],
    created: false,
    canceled: false,
    compactRevision: 0,
    reason: '',
  }
  const reader = new ProtobufReader(bytes)
  fields(reader, (field) => {
    if (field === 3) found.created = reader.varint() !== 0
    else if (field === 4) found.canceled = reader.varint() !== 0
    else if (field === 5) found.compactRevision = reader.varint()
    else if (field === 6) found.reason = reader.text()
    else if (field === 11) found.events.push(readEvent(reader.message()))
    else return false
    return true
  })
  return found
}

function readEvent(reader: ProtobufReader): WatchEvent {
  let deleted = false
  let item: KeyValue | undefined
  fields(reader, (field) => {
    if (field === 1) deleted = reader.varint() === 1
    else if (field === 2) item = readKeyValue(reader.message())
    else return false
    return true
  })
  return { ...(item ?? { key: '', createRevision: 0, modRevision: 0, value: NOTHING }), deleted }
}
