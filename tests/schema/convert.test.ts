import { describe, expect, it } from 'vitest'
import { type Json, type JsonObject, sharedParts } from '../../src/engine/core/object'
import { applyStrategicMergePatch } from '../../src/engine/patch/strategic-merge-patch'
import { builtinModel } from '../../src/engine/schema/builtin'
import { canonicalize } from '../../src/engine/schema/canonical'
import { convertObject, DecodeError } from '../../src/engine/schema/decode'
import type { StructType } from '../../src/engine/schema/model'
import { jsonObject } from '../support/json-objects'

const deployment = builtinModel().byKind('apps', 'v1', 'Deployment') as StructType
const secret = builtinModel().byKind('', 'v1', 'Secret') as StructType
const container = (members: object) => ({
  spec: { template: { spec: { containers: [{ name: 'a', ...members }] } } },
})

describe('converting values that are not JSON text', () => {
  it('gives the same canonical object as decoding', () => {
    expect(convertObject(secret, { data: { a: 'aGk=' }, metadata: { name: 'x' } }).object).toEqual({
      metadata: { name: 'x', creationTimestamp: null },
      data: { a: 'aGk=' },
    })
  })

  it('accepts an integer in any notation', () => {
    expect(convertObject(deployment, { spec: { replicas: 3.0 } }).object.spec).toMatchObject({
      replicas: 3,
    })
  })

  it.each([
    [4294967298, 2],
    [2147483648, -2147483648],
    [-4294967295, 1],
    [1e21, 0],
  ])('truncates a number beyond 32 bits: %d', (replicas, kept) => {
    expect(convertObject(deployment, { spec: { replicas } }).object.spec).toMatchObject({
      replicas: kept,
    })
  })

  it.each([
    [container({ env: [{ name: 'N', value: 5 }] }), 'cannot convert int64 to string'],
    [container({ env: [{ name: 'N', value: true }] }), 'unrecognized type: string'],
    [container({ ports: [{ containerPort: '443' }] }), 'unrecognized type: int32'],
    [{ spec: { replicas: 2.5 } }, 'cannot convert float64 to int32'],
    [{ spec: { paused: 'yes' } }, 'unrecognized type: bool'],
    [
      { spec: { template: { spec: { containers: { name: 'web' } } } } },
      'cannot restore slice from map',
    ],
    [{ spec: { template: [] } }, 'cannot restore struct from: slice'],
    [{ metadata: { labels: 'x' } }, 'cannot restore map from string'],
    [{ metadata: { labels: { n: 1 } } }, 'cannot convert int64 to string'],
    [
      { metadata: { creationTimestamp: true } },
      'json: cannot unmarshal bool into Go value of type string',
    ],
    [
      { spec: { strategy: { rollingUpdate: { maxSurge: true } } } },
      'json: cannot unmarshal bool into Go value of type int32',
    ],
  ])('%j: %s', (value, message) => {
    expect(() => convertObject(deployment, value)).toThrow(new DecodeError(message))
  })

  it('reports invalid base64 like a JSON decoder', () => {
    expect(() => convertObject(secret, { data: { a: 'not base64!' } })).toThrow(
      'error decoding from json: illegal base64 data at input byte 3',
    )
  })

  it.each<[Json, string]>([
    [3, 'cannot restore slice from int64'],
    [{}, 'cannot restore slice from map'],
    [['x'], 'unrecognized type: uint8'],
    [[1.5], 'cannot convert float64 to uint8'],
  ])('speaks of bytes as of a list of bytes: %j', (value, message) => {
    expect(() => convertObject(secret, { data: { a: value } })).toThrow(new DecodeError(message))
  })

  it('truncates bytes beyond 8 bits', () => {
    expect(convertObject(secret, { data: { a: [300, -1] } }).object).toMatchObject({
      data: { a: 'LP8=' },
    })
  })

  it('sorts the members of free-form JSON, even if it is unchanged', () => {
    const revision = builtinModel().byKind('apps', 'v1', 'ControllerRevision') as StructType
    const before = { metadata: {}, data: { b: 1, a: { d: 1, c: [{ f: 1, e: 2 }] } } }
    const { object } = convertObject(revision, { ...before }, { madeOf: before })
    expect(JSON.stringify((object as unknown as typeof before).data)).toBe(
      '{"a":{"c":[{"e":2,"f":1}],"d":1},"b":1}',
    )
  })

  it('sorts the unknown fields', () => {
    expect(
      convertObject(
        deployment,
        { spec: { zeta: 1, alpha: 1 } },
        { duplicates: ['duplicate field "spec"'] },
      ).problems,
    ).toEqual(['duplicate field "spec"', 'unknown field "spec.alpha"', 'unknown field "spec.zeta"'])
  })
})

describe('a value derived from a canonical one', () => {
  const stored = canonicalize(deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'd',
      labels: { app: 'a' },
      managedFields: [{ manager: 'm', operation: 'Update', apiVersion: 'apps/v1' }],
    },
    spec: {
      replicas: 1,
      template: {
        spec: {
          containers: [
            { name: 'c', image: 'i' },
            { name: 'd', image: 'j' },
          ],
        },
      },
    },
  })
  const madeOf = jsonObject(stored)
  const patches: JsonObject[] = [
    {},
    { spec: { replicas: 2 } },
    { metadata: { labels: { app: 'b' } } },
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'k' }] } } } },
    { spec: { template: { spec: { containers: [{ name: 'd', $patch: 'delete' }] } } } },
    { spec: { template: null } },
  ]

  it('is converted as if it were new', () => {
    for (const patch of patches) {
      const value = applyStrategicMergePatch(madeOf, patch, deployment)
      expect(convertObject(deployment, value, { madeOf })).toEqual(convertObject(deployment, value))
    }
  })

  it('shares nothing with it that a request may change', () => {
    for (const patch of patches) {
      const { object } = convertObject(
        deployment,
        applyStrategicMergePatch(madeOf, patch, deployment),
        { madeOf },
      )
      expect(
        [...sharedParts(jsonObject(object), madeOf)].filter(
          (part) => part !== stored.metadata.managedFields,
        ),
      ).toEqual([])
    }
  })
})
