import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { openapiV2, openapiV3 } from '../../src/engine/encoding/openapi/builtin'
import type { Words } from '../../src/engine/encoding/openapi/documents'
import { encodeOpenapiV2 } from '../../src/engine/encoding/openapi/gnostic-v2'
import { encodeOpenapiV3 } from '../../src/engine/encoding/openapi/gnostic-v3'
import { loadWords } from '../../src/engine/encoding/openapi/words'
import { ProtobufReader } from '../../src/engine/encoding/protobuf/reader'
import { WireType } from '../../src/engine/encoding/protobuf/writer'
import { DISCOVERY } from '../../src/engine/generated/discovery'
import { jsonObject } from '../support/json-objects'

/** Decodes a message without its types: values by field number, nested messages as bytes. */
type Fields = Map<number, (Uint8Array | number)[]>

function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new ProtobufReader(bytes)
  const fields: Fields = new Map()
  while (!reader.done) {
    const { number, wire } = reader.tag()
    const value =
      wire === WireType.Varint
        ? reader.varint()
        : wire === WireType.Fixed64
          ? reader.double()
          : reader.bytes()
    fields.set(number, [...(fields.get(number) ?? []), value])
  }
  return fields
}

/** Follows field numbers down through messages. */
function at(bytes: Uint8Array, ...numbers: number[]): Uint8Array {
  return numbers.reduce(
    (message, number) => fieldsOf(message).get(number)?.[0] as Uint8Array,
    bytes,
  )
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** A list of pairs of a name (1) and a value (2), as an object. */
function pairsOf(bytes: Uint8Array, number: number): Record<string, Uint8Array> {
  const entries = fieldsOf(bytes).get(number) ?? []
  return Object.fromEntries(
    entries.map((entry) => [textOf(at(entry as Uint8Array, 1)), at(entry as Uint8Array, 2)]),
  )
}

let words: Words
beforeAll(async () => {
  words = await loadWords()
})

describe('version 2', () => {
  test('equals the JSON document', () => {
    const json = openapiV2(DISCOVERY, [], words) as {
      paths: JsonObject
      definitions: Record<string, { description: string }>
    }
    const bytes = encodeOpenapiV2(jsonObject(json))
    expect(textOf(at(bytes, 1))).toBe('2.0')
    const paths = pairsOf(at(bytes, 8), 2)
    expect(Object.keys(paths)).toEqual(Object.keys(json.paths))
    const definitions = pairsOf(at(bytes, 9), 1)
    expect(Object.keys(definitions)).toEqual(Object.keys(json.definitions))
    const deployment = definitions['io.k8s.api.apps.v1.Deployment'] as Uint8Array
    expect(textOf(at(deployment, 4))).toBe(
      json.definitions['io.k8s.api.apps.v1.Deployment']?.description,
    )
    expect(textOf(at(deployment, 22, 1))).toBe('object')
    expect(textOf(at(deployment, 31, 1))).toBe('x-kubernetes-group-version-kind')
    expect(textOf(at(deployment, 31, 2, 2))).toBe(
      '- group: apps\n  kind: Deployment\n  version: v1\n',
    )
    const spec = pairsOf(at(deployment, 25), 1).spec as Uint8Array
    expect(textOf(at(spec, 1))).toBe('#/definitions/io.k8s.api.apps.v1.DeploymentSpec')
  })
  test('encodes bodies, parameters and responses of operations', () => {
    const bytes = encodeOpenapiV2(openapiV2(DISCOVERY, [], words))
    const path = pairsOf(at(bytes, 8), 2)['/api/v1/namespaces/{namespace}/pods'] as Uint8Array
    const create = at(path, 4)
    expect(textOf(at(create, 5))).toBe('createCoreV1NamespacedPod')
    expect(textOf(at(create, 8, 1, 1, 5, 1))).toBe('#/definitions/io.k8s.api.core.v1.Pod')
    const ok = pairsOf(at(create, 9), 1)['200'] as Uint8Array
    expect(textOf(at(ok, 1, 2, 1, 1))).toBe('#/definitions/io.k8s.api.core.v1.Pod')
    const [shared = ''] = Object.keys(pairsOf(at(bytes, 10), 1)).filter((name) =>
      name.startsWith('namespace-'),
    )
    expect(textOf(at(path, 9, 2, 1))).toBe(`#/parameters/${shared}`)
    expect(textOf(at(pairsOf(at(bytes, 10), 1)[shared] as Uint8Array, 2, 4, 4))).toBe('namespace')
    const one = pairsOf(at(bytes, 8), 2)['/api/v1/nodes/{name}'] as Uint8Array
    expect(textOf(at(one, 9, 1, 2, 4, 4))).toBe('name')
  })
})

describe('version 3', () => {
  test('equals the JSON document, with references separate from schemas', () => {
    const json = openapiV3('apis/apps/v1', words) as {
      paths: JsonObject
      components: { schemas: JsonObject }
    }
    const bytes = encodeOpenapiV3(jsonObject(json))
    expect(textOf(at(bytes, 1))).toBe('3.0.0')
    expect(Object.keys(pairsOf(at(bytes, 4), 1))).toEqual(Object.keys(json.paths))
    const schemas = pairsOf(at(bytes, 5, 1), 1)
    expect(Object.keys(schemas)).toEqual(Object.keys(json.components.schemas))
    const spec = pairsOf(at(schemas['io.k8s.api.apps.v1.DeploymentSpec'] as Uint8Array, 1, 31), 1)
    expect(textOf(at(spec.template as Uint8Array, 1, 26, 2, 1))).toBe(
      '#/components/schemas/io.k8s.api.core.v1.PodTemplateSpec',
    )
    expect(textOf(at(spec.replicas as Uint8Array, 1, 25))).toBe('integer')
    const port = pairsOf(at(schemas['io.k8s.api.core.v1.ContainerPort'] as Uint8Array, 1, 31), 1)
    expect(textOf(at(port.protocol as Uint8Array, 1, 33, 3))).toBe('TCP')
  })
})

describe('validation keywords of a schema', () => {
  const bounds = {
    multipleOf: 2,
    maximum: 9,
    exclusiveMaximum: true,
    maxLength: 5,
    minLength: 0,
    pattern: '^a',
    uniqueItems: true,
  }

  test('have field numbers in both versions; zero values are omitted', () => {
    const third = fieldsOf(
      at(encodeOpenapiV3({ components: { schemas: { Thing: bounds } } }), 5, 1, 1, 2, 1),
    )
    expect([10, 11, 12, 15, 16, 20].map((number) => third.get(number)?.[0])).toEqual([
      2,
      9,
      1,
      5,
      undefined,
      1,
    ])
    expect(textOf(third.get(17)?.[0] as Uint8Array)).toBe('^a')
    const second = fieldsOf(
      at(encodeOpenapiV2({ definitions: { Thing: { ...bounds, title: 'T' } } }), 9, 1, 2),
    )
    expect([6, 7, 8, 11, 12, 16].map((number) => second.get(number)?.[0])).toEqual([
      2,
      9,
      1,
      5,
      undefined,
      1,
    ])
    expect(textOf(second.get(3)?.[0] as Uint8Array)).toBe('T')
  })
})
