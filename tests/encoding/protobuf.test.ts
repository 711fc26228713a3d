import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROTOBUF_MAGIC } from '../../src/engine/core/names'
import type { Json, JsonObject } from '../../src/engine/core/object'
import {
  decodeProtobuf,
  encodeProtobuf,
  encodeProtobufFrame,
  ProtobufError,
} from '../../src/engine/encoding/protobuf/codec'
import { messageOf } from '../../src/engine/encoding/protobuf/messages'
import { ProtobufReader } from '../../src/engine/encoding/protobuf/reader'
import { ProtobufWriter, WireType } from '../../src/engine/encoding/protobuf/writer'
import { protobufMessages } from '../../src/engine/generated/protobuf'
import { builtinModel } from '../../src/engine/schema/builtin'
import type { Field, StructType, TypeNode } from '../../src/engine/schema/model'

const roundTrip = (object: JsonObject): unknown => decodeProtobuf(encodeProtobuf(object)).object

describe('wire format', () => {
  test('round-trips numbers of up to 53 bits and their negatives', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        const writer = new ProtobufWriter()
        writer.varint(number)
        expect(new ProtobufReader(writer.finish()).varint()).toBe(number)
      }),
    )
  })
  test('round-trips strings of any script and length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        const writer = new ProtobufWriter()
        writer.delimited(() => writer.text(text))
        expect(new ProtobufReader(writer.finish()).text()).toBe(text)
      }),
    )
  })
  test('encodes negative numbers in ten bytes, as signed 64-bit numbers', () => {
    const writer = new ProtobufWriter()
    writer.varint(-1)
    expect([...writer.finish()]).toEqual([255, 255, 255, 255, 255, 255, 255, 255, 255, 1])
  })
  test('rejects truncated and endless values', () => {
    expect(() => new ProtobufReader(Uint8Array.of(0x80)).varint()).toThrow(ProtobufError)
    expect(() => new ProtobufReader(Uint8Array.of(5, 1)).bytes()).toThrow('unexpected EOF')
    expect(() => new ProtobufReader(new Uint8Array(11).fill(0xff)).varint()).toThrow(
      'integer overflow',
    )
  })
})

describe('envelope', () => {
  test('rejects bytes without the magic prefix', () => {
    expect(() => decodeProtobuf(new TextEncoder().encode('{"kind":"Pod"}'))).toThrow(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    )
  })
  test.each([
    ['nothing', [], 'empty data'],
    ['no envelope', PROTOBUF_MAGIC, 'empty body'],
    [
      'a field without a number',
      [...PROTOBUF_MAGIC, 0],
      'proto: Unknown: illegal tag 0 (wire type 0)',
    ],
    [
      'the end of a group',
      [...PROTOBUF_MAGIC, 0x2c],
      'proto: Unknown: wiretype end group for non-group',
    ],
    [
      'a kind that is a number',
      [...PROTOBUF_MAGIC, 0x08, 1],
      'proto: wrong wireType = 0 for field TypeMeta',
    ],
    ['an unknown wire type', [...PROTOBUF_MAGIC, 0x2f], 'proto: illegal wireType 7'],
  ])('reports %s', (_what, bytes, message) => {
    expect(() => decodeProtobuf(Uint8Array.from(bytes))).toThrow(message)
  })
  test('skips groups with their contents', () => {
    const bytes = encodeProtobuf({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', creationTimestamp: null },
    })
    const group = [0x2b, 0x33, 0x08, 0x80, 0x01, 0x34, 0x12, 1, 7, 0x2c]
    expect(decodeProtobuf(Uint8Array.of(...bytes, ...group)).object.metadata.name).toBe('a')
    expect(() => decodeProtobuf(Uint8Array.of(...bytes, ...group.slice(0, -1)))).toThrow(
      'unexpected EOF',
    )
  })
  test('rejects a kind without Protobuf', () => {
    expect(() =>
      encodeProtobuf({ kind: 'Gadget', apiVersion: 'example.com/v1', metadata: {} }),
    ).toThrow(ProtobufError)
  })
  test('skips unknown fields', () => {
    const writer = new ProtobufWriter()
    writer.varint(7)
    writer.tag(99, WireType.Varint)
    const unknown = writer.finish()
    const bytes = encodeProtobuf({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', creationTimestamp: null },
    })
    expect(decodeProtobuf(Uint8Array.of(...bytes, ...unknown)).object.metadata.name).toBe('a')
  })
})

describe('documents other than single objects', () => {
  const items = [{ metadata: { name: 'a', creationTimestamp: null }, data: { x: '1' } }]

  test('lists', () => {
    const list = {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '5' },
      items,
    }
    expect(roundTrip(list)).toEqual(list)
  })
  test('a Status', () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "a" not found',
      reason: 'NotFound',
      details: { name: 'a', kind: 'configmaps' },
      code: 404,
    }
    expect(roundTrip(status)).toEqual(status)
  })
  test.each(['v1', 'v1beta1'])('metadata alone, %s', (version) => {
    const metadata = {
      name: 'a',
      namespace: 'b',
      uid: 'u',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { x: 'y' },
    }
    const object = { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata }
    expect(roundTrip(object)).toEqual(object)
    const list = {
      kind: 'PartialObjectMetadataList',
      apiVersion: `meta.k8s.io/${version}`,
      metadata: { resourceVersion: '1' },
      items: [{ metadata }],
    }
    expect(roundTrip(list)).toEqual(list)
  })
  test('a watch event: its length, then an event around an enveloped object', () => {
    const object = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', creationTimestamp: null },
    }
    const frame = encodeProtobufFrame('ADDED', object)
    expect(new DataView(frame.buffer, frame.byteOffset).getUint32(0)).toBe(frame.length - 4)
    const event = new ProtobufReader(frame, 4)
    expect([event.tag().number, event.text()]).toEqual([1, 'ADDED'])
    expect(event.tag().number).toBe(2)
    const raw = event.message()
    expect(raw.tag().number).toBe(1)
    expect(decodeProtobuf(raw.bytes()).object).toEqual(object)
    expect(event.done).toBe(true)
  })
})

describe('values', () => {
  test('pointers distinguish zero from absent, values do not', () => {
    const spec = (more: JsonObject) => ({
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { creationTimestamp: null }, spec: { containers: null } },
      strategy: {},
      ...more,
    })
    const deployment = (more: JsonObject) => ({
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { creationTimestamp: null },
      spec: spec(more),
      status: {},
    })
    expect(roundTrip(deployment({ replicas: 0 }))).toHaveProperty('spec.replicas', 0)
    expect(roundTrip(deployment({}))).not.toHaveProperty('spec.replicas')
    expect(roundTrip(deployment({ minReadySeconds: 0 }))).not.toHaveProperty('spec.minReadySeconds')
  })
  test.each(['2026-01-01T00:00:00.123456Z', '1969-12-31T23:59:59.000001Z'])(
    'times with microseconds: %s',
    (eventTime) => {
      const event = {
        kind: 'Lease',
        apiVersion: 'coordination.k8s.io/v1',
        metadata: { creationTimestamp: null },
        spec: { renewTime: eventTime },
      }
      expect(roundTrip(event)).toEqual(event)
    },
  )
  test('schemas with another type in their place', () => {
    const schema = {
      type: 'object',
      properties: {
        any: { type: 'object', additionalProperties: true },
        list: { type: 'array', items: { type: 'string', enum: ['a', 1, null] }, default: [] },
        map: { type: 'object', additionalProperties: { type: 'number', minimum: 0.5 } },
        none: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    }
    const names = { plural: 'gadgets', kind: 'Gadget' }
    const definition = {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      metadata: { creationTimestamp: null },
      spec: {
        group: 'x.io',
        names,
        scope: 'Namespaced',
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
        ],
      },
    }
    expect(roundTrip(definition)).toMatchObject(definition)
  })
})

describe('every kind with Protobuf', () => {
  const kinds = Object.keys(protobufMessages()).flatMap((message) => {
    const type = builtinModel().byName(message.replace('k8s.io', 'io.k8s').replaceAll('_', '-'))
    const [kind] = type?.type === 'struct' ? (type.groupVersionKinds ?? []) : []
    return kind && !/(Options|WatchEvent)$/.test(kind.kind)
      ? [{ ...kind, type: type as StructType }]
      : []
  })

  test('there are many', () => {
    expect(kinds.length).toBeGreaterThan(100)
  })
  test.each(kinds)(
    '$group/$version $kind: an object with everything set reads back',
    ({ group, version, kind, type }) => {
      const object = {
        kind,
        apiVersion: group === '' ? version : `${group}/${version}`,
        ...(everything(type, []) as JsonObject),
      }
      expect(roundTrip(object)).toEqual(object)
    },
  )
})

/**
 * Returns a value of the type with every field set; `above`: the enclosing types, which are not
 * repeated.
 */
function everything(type: TypeNode, above: string[]): Json {
  switch (type.type) {
    case 'struct': {
      const fields = type.fields.filter(
        (field) => isCarried(type, field) && !isAbove(field.type, [...above, type.name]),
      )
      return Object.fromEntries(
        fields.map((field) => [field.name, everything(field.type, [...above, type.name])]),
      )
    }
    case 'list':
      return [everything(type.items, above)]
    case 'map':
      return { key: everything(type.values, above) }
    case 'any':
      return anything(type.name)
    case 'scalar':
      return SCALAR[type.format] ?? null
  }
}

/** Protobuf does not carry the kind of nested objects. */
function isCarried(type: StructType, { name }: Field): boolean {
  const numbers = protobufMessages()[messageOf(type.name)] ?? {}
  return (name !== 'kind' && name !== 'apiVersion') || name in numbers
}

function isAbove(type: TypeNode, above: string[]): boolean {
  if (type.type === 'struct') return above.includes(type.name)
  return type.type === 'list'
    ? isAbove(type.items, above)
    : type.type === 'map' && isAbove(type.values, above)
}

function anything(name: string): Json {
  if (name.endsWith('SchemaPropsOrBool')) return true
  if (name.endsWith('SchemaPropsOrStringArray')) return ['a']
  return name.endsWith('SchemaPropsOrArray') ? [{ type: 'string' }] : { 'f:x': {} }
}

const SCALAR: Record<string, Json> = {
  string: 'text',
  boolean: true,
  int32: -1,
  int64: 1234567890123,
  double: 1.5,
  bytes: 'AAH/',
  time: '2026-01-01T00:00:00Z',
  microTime: '2026-01-01T00:00:00.000001Z',
  quantity: '1Gi',
  intOrString: '50%',
}
