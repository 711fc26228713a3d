import fc from 'fast-check'
import { expect } from 'vitest'
import { PROTOBUF_MAGIC } from '../../../src/engine/core/names'
import { annotateProtobuf } from '../../../src/engine/encoding/protobuf/annotate'
import {
  decodeProtobuf,
  encodeProtobuf,
  ProtobufError,
} from '../../../src/engine/encoding/protobuf/codec'
import { MOST_NESTED, nestsDeeper } from '../../../src/engine/schema/nesting'
import { jsonObject } from '../../support/json-objects'
import { type FuzzTarget, read } from './target'

const sound = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z', labels: { a: 'b' } },
    data: { a: '1' },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', creationTimestamp: null },
    data: { a: 'eA==' },
    type: 'Opaque',
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': {} } }] },
    spec: {
      replicas: 3,
      selector: { matchLabels: { a: 'b' } },
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
      template: {
        metadata: {},
        spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } } }] },
      },
    },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Cluster',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                a: { type: 'array', items: { type: 'string', default: 'x', enum: ['x'] } },
              },
            },
          },
        },
      ],
    },
  },
].map((object) => encodeProtobuf(jsonObject(object)))

const change = fc.record({
  at: fc.nat(),
  length: fc.nat(4),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    // Lengths that lie, tags of every wire type, groups, numbers of ten bytes.
    fc
      .constantFrom(
        [0xff, 0xff, 0xff, 0xff, 0x0f],
        Array(10).fill(0xff),
        [0x0b],
        [0x0c],
        [0x08],
        [0x09],
        [0x0a],
        [0x0d],
        [0x80],
        [0x00],
      )
      .map((bytes) => Uint8Array.from(bytes)),
  ),
})

function changed(
  bytes: Uint8Array,
  changes: readonly { at: number; length: number; bytes: Uint8Array }[],
): Uint8Array {
  return changes.reduce((whole, { at, length, bytes: instead }) => {
    const place = PROTOBUF_MAGIC.length + (at % Math.max(1, whole.length - PROTOBUF_MAGIC.length))
    return Buffer.concat([whole.subarray(0, place), instead, whole.subarray(place + length)])
  }, bytes)
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 128))]
}

const delimited = (number: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([...varint(number * 8 + 2), ...varint(content.length)]), content])

/** A definition whose schemas lie inside one another: field 24 of JSONSchemaProps is `items`, whose field 1 is a schema again. */
const deep = fc.constantFrom(10, 200, 300, 5_000).map((levels) => {
  let schema: Uint8Array = new Uint8Array()
  for (let i = 0; i < levels; i++) schema = delimited(24, delimited(1, schema))
  const version = delimited(4, delimited(1, schema))
  const definition = delimited(2, delimited(7, version))
  const typeMeta = Buffer.concat([
    delimited(1, Buffer.from('apiextensions.k8s.io/v1')),
    delimited(2, Buffer.from('CustomResourceDefinition')),
  ])
  return Buffer.concat([
    Uint8Array.from(PROTOBUF_MAGIC),
    delimited(1, typeMeta),
    delimited(2, definition),
  ])
})

const bytes = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...sound), fc.array(change, { minLength: 1, maxLength: 3 }))
      .map(([whole, changes]) => changed(whole, changes)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...sound), fc.nat())
      .map(([whole, length]) => whole.subarray(0, length % whole.length)),
  },
  {
    weight: 2,
    arbitrary: fc
      .uint8Array({ maxLength: 60 })
      .map((random) => Buffer.concat([Uint8Array.from(PROTOBUF_MAGIC), random])),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }) },
  { weight: 1, arbitrary: deep },
)

export const protobuf: FuzzTarget = {
  name: 'protobuf',
  what: 'Protobuf bodies: mutated, cut, wrong wire types, lengths that lie, nesting',
  short: 1500,
  property: fc.property(bytes, (body) => {
    const found = read(() => decodeProtobuf(body), [ProtobufError])
    read(() => annotateProtobuf(body), [ProtobufError])
    if (found !== undefined) expect(nestsDeeper(found.object, 3 * MOST_NESTED)).toBe(false)
  }),
}
