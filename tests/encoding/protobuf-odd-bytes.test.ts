/** Unusual Protobuf that no client library writes. Recorded from kube-apiserver 1.31. */
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { decodeProtobuf, encodeProtobuf } from '../../src/engine/encoding/protobuf/codec'
import { messagesOf } from '../../src/engine/encoding/protobuf/messages'

const utf8 = new TextEncoder()
const text = (number: number, value: string): number[] => message(number, [...utf8.encode(value)])
const message = (number: number, content: number[]): number[] => [
  (number << 3) | 2,
  content.length,
  ...content,
]
const whole = (number: number, value: number): number[] => [number << 3, value]
const bytesOf = (...fields: number[][]): Uint8Array => Uint8Array.from(fields.flat())

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1.'
const read = (name: string, ...fields: number[][]): JsonObject =>
  messagesOf().readMessage(name, bytesOf(...fields))

describe('a repeated message field', () => {
  test('is merged: lists and maps grow, the last scalar counts, others stay', () => {
    const first = message(1, [
      ...text(1, 'a'),
      ...message(11, [...text(1, 'x'), ...text(2, '1')]),
      ...text(14, 'one'),
    ])
    const second = message(1, [
      ...text(3, 'b'),
      ...message(11, [...text(1, 'y'), ...text(2, '2')]),
      ...text(14, 'two'),
    ])
    expect(read('k8s.io.api.core.v1.ConfigMap', first, second).metadata).toMatchObject({
      name: 'a',
      namespace: 'b',
      labels: { x: '1', y: '2' },
      finalizers: ['one', 'two'],
    })
  })

  test('keeps the last quantity or IntOrString; an empty part changes nothing', () => {
    const limits = (...values: number[][]) =>
      read('k8s.io.api.core.v1.EmptyDirVolumeSource', ...values.map((value) => message(2, value)))
    expect(limits(text(1, '1Gi'), text(1, '2Gi'), []).sizeLimit).toBe('2Gi')
    const port = (...values: number[][]) =>
      read('k8s.io.api.core.v1.TCPSocketAction', ...values.map((value) => message(1, value))).port
    expect(port([...whole(1, 1), ...text(3, 'http')], whole(2, 8))).toBe('http')
    expect(port([...whole(1, 1), ...text(3, 'http')], whole(1, 0), whole(2, 8))).toBe(8)
  })

  test('the kind and version of the envelope may be in separate parts', () => {
    const { metadata } = { metadata: { name: 'a', creationTimestamp: null } }
    const bytes = encodeProtobuf({ kind: 'ConfigMap', apiVersion: 'v1', metadata })
    const again = [...message(1, []), ...message(1, text(2, 'Secret'))]
    expect(decodeProtobuf(Uint8Array.of(...bytes, ...again))).toMatchObject({
      apiVersion: 'v1',
      kind: 'Secret',
      object: { metadata },
    })
  })
})

describe('an entry of a map', () => {
  const data = (...entry: number[]) =>
    read('k8s.io.api.core.v1.ConfigMap', [(2 << 3) | 2, ...entry])

  test('may omit or repeat its key or value', () => {
    expect(data(3, ...text(2, 'v')).data).toEqual({ '': 'v' })
    expect(data(9, ...text(1, 'k'), ...text(1, 'l'), ...text(2, 'v')).data).toEqual({ l: 'v' })
  })

  test('ignores the wire types of key and value', () => {
    expect(data(6, (1 << 3) | 5, 1, 107, ...text(2, 'v')).data).toEqual({ k: 'v' })
  })

  test('reads parts beyond its end within the message, and continues after them', () => {
    // The value is read a second time, as an unknown field.
    const [key, value] = [text(1, 'k'), text(2, '(\0')]
    expect(data(key.length + 2, ...key, ...value).data).toEqual({ k: '(\0' })
    expect(() => data(key.length + 2, ...key, (2 << 3) | 2, 9, 118)).toThrow('unexpected EOF')
  })
})

describe('a wrong wire type', () => {
  test.each([
    ['k8s.io.api.core.v1.Pod', [8], 'ObjectMeta'],
    ['k8s.io.api.core.v1.PodList', [8], 'ListMeta'],
    [`${META}ObjectMeta`, [5 << 3], 'UID'],
    [`${META}OwnerReference`, [5 << 3], 'APIVersion'],
    ['k8s.io.api.core.v1.EnvFromSource', message(2, [8]), 'LocalObjectReference'],
    ['k8s.io.api.core.v1.Event', [14 << 3], 'ReportingController'],
    ['k8s.io.api.core.v1.EmptyDirVolumeSource', message(2, [8]), 'String_'],
    ['k8s.io.api.core.v1.TCPSocketAction', message(1, [10]), 'Type', 2],
    ['k8s.io.api.coordination.v1.LeaseSpec', message(3, [10]), 'Seconds', 2],
    [`${META}ManagedFieldsEntry`, message(7, [8]), 'Raw'],
    [
      'k8s.io.api.certificates.v1.CertificateSigningRequestSpec',
      message(6, [...text(1, 'k'), ...message(2, [8])]),
      'Items',
    ],
  ])('in %s is reported with the Go name of the field', (name, bytes, field, wire = 0) => {
    expect(() => read(name, bytes)).toThrow(`proto: wrong wireType = ${wire} for field ${field}`)
  })
})

describe('numbers', () => {
  const ones = new Array(9).fill(255)

  test('a field number keeps its lower 32 bits, and errors show all of it', () => {
    expect(() => read('k8s.io.api.core.v1.Pod', [...ones, 1])).toThrow(
      'proto: Pod: illegal tag -1 (wire type 18446744073709551615)',
    )
    // 2^35 and the tag of the name: bits above the 32 bits of a field number are dropped.
    expect(read(`${META}ObjectMeta`, [0x8a, 0x80, 0x80, 0x80, 0x80, 0x01, 1, 97]).name).toBe('a')
  })

  test('an int32 keeps its lower 32 bits', () => {
    const replicas = (...bytes: number[]) =>
      read('k8s.io.api.apps.v1.DeploymentSpec', [1 << 3, ...bytes]).replicas
    expect(replicas(0x83, 0x80, 0x80, 0x80, 0x10)).toBe(3)
    expect(replicas(0xff, 0xff, 0xff, 0xff, 0x0f)).toBe(-1)
  })

  test('an unmatched end of a group is reported with its place', () => {
    expect(() => read('k8s.io.api.core.v1.ConfigMap', message(2, [0x2c]))).toThrow(
      'proto: unexpected end of group',
    )
    expect(() => read('k8s.io.api.core.v1.ConfigMap', [0x2c])).toThrow(
      'proto: ConfigMap: wiretype end group for non-group',
    )
  })
})

test('an empty time is null; one with nanoseconds only is in the first second', () => {
  const renewed = (...time: number[]) =>
    read('k8s.io.api.coordination.v1.LeaseSpec', message(4, time)).renewTime
  expect(renewed()).toBeNull()
  expect(renewed(...[2 << 3, 0xc0, 0x84, 0x3d])).toBe('1970-01-01T00:00:00.001000Z')
  expect(renewed(...[2 << 3, 0x80, 0x94, 0xeb, 0xdc, 0x03])).toBe('1970-01-01T00:00:01.000000Z')
})

test('fieldsV1 that is not JSON is kept as it is', () => {
  expect(read(`${META}ManagedFieldsEntry`, message(7, text(1, '{"f:a"'))).fieldsV1).toBe('{"f:a"')
})
