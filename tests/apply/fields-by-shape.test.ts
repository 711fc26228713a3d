import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldSetOf } from '../../src/engine/apply/compare'
import { EMPTY, equalSets } from '../../src/engine/apply/field-set'
import { appliedFields } from '../../src/engine/apply/fields-by-shape'
import { updateManagedFields } from '../../src/engine/apply/managers'
import type { Json, JsonObject } from '../../src/engine/core/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import type { StructType } from '../../src/engine/schema/model'
import { kubeObject } from '../support/json-objects'
import { apply, ownedBy, specOf } from './widget'

/**
 * Field sets are cached by the shape of the sent object; earlier objects must not affect later
 * ones.
 */

const type = builtinModel().byKind('', 'v1', 'Service') as StructType

function created(object: JsonObject, manager = 'm', time = '2026-01-01T00:00:00Z') {
  const updated = kubeObject({ kind: 'Service', apiVersion: 'v1', ...object })
  return updateManagedFields(
    { live: undefined, type, manager, apiVersion: 'v1', subresource: '', time },
    updated,
  )
}

const service = (
  labels: Record<string, string>,
  ports: number[],
  clusterIP?: string,
): JsonObject => ({
  metadata: { name: 's', labels },
  spec: {
    ports: ports.map((port) => ({ port, protocol: 'TCP' })),
    ...(clusterIP === undefined ? {} : { clusterIP }),
  },
  status: { loadBalancer: {} },
})

test('objects of one shape have the same entry, whatever their values', () => {
  const [first] = created(service({ app: 'a' }, [80])) ?? []
  const [second] = created(service({ app: 'b' }, [80])) ?? []
  expect(second).toBe(first)
  expect(first?.fieldsV1).toEqual({
    'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
    'f:spec': {
      'f:ports': {
        '.': {},
        'k:{"port":80,"protocol":"TCP"}': {
          '.': {},
          'f:port': {},
          'f:protocol': {},
          'f:targetPort': {},
        },
      },
    },
  })
})

test('another manager or second gets an entry of its own', () => {
  const [first] = created(service({ app: 'a' }, [80])) ?? []
  expect(created(service({ app: 'a' }, [80]), 'n')).toEqual([{ ...first, manager: 'n' }])
  expect(created(service({ app: 'a' }, [80]), 'm', '2026-01-01T00:00:01Z')).toEqual([
    { ...first, time: '2026-01-01T00:00:01Z' },
  ])
})

/** Names that would collide if a cache key only concatenated them. */
const names = fc.constantFrom('a', 'aa', 'a:1', '1:a', '{', '}', ',', '2:aa,', '')
const labels = fc.dictionary(names, fc.constantFrom('', 'x'))
const services = fc
  .tuple(
    labels,
    fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
    fc.option(fc.constantFrom('None', ''), { nil: undefined }),
  )
  .map(([names, ports, clusterIP]) => service(names, ports, clusterIP))

/** The model: every label name and every port has a path, and so has each of their parents. */
test('the cached fields of a create are those of the object', () => {
  fc.assert(
    fc.property(fc.array(services, { minLength: 1, maxLength: 8 }), (objects) => {
      for (const object of objects) {
        const fields = created(object)?.[0]?.fieldsV1 as
          | { 'f:metadata'?: JsonObject; 'f:spec'?: JsonObject }
          | undefined
        const { metadata, spec } = object as {
          metadata: { labels: object }
          spec: { ports: { port: number }[]; clusterIP?: string }
        }
        const labelFields = Object.keys(
          (fields?.['f:metadata']?.['f:labels'] as JsonObject | undefined) ?? {},
        )
        const portFields = Object.keys(
          (fields?.['f:spec']?.['f:ports'] as JsonObject | undefined) ?? {},
        )
        const wantedLabels = Object.keys(metadata.labels).map((name) => `f:${name}`)
        expect(labelFields.filter((name) => name !== '.').sort()).toEqual(wantedLabels.sort())
        const wantedPorts = spec.ports.map(({ port }) => `k:{"port":${port},"protocol":"TCP"}`)
        expect(portFields.filter((name) => name !== '.').sort()).toEqual(wantedPorts.sort())
        expect(Object.hasOwn(fields?.['f:spec'] ?? {}, 'f:clusterIP')).toBe(Boolean(spec.clusterIP))
      }
    }),
  )
})

const member = fc.constantFrom<Json>(null, 'x', '')
const applied = fc
  .record(
    {
      labels: fc.oneof(fc.constant(null), fc.dictionary(names, member)),
      selector: fc.oneof(fc.constant(null), fc.dictionary(names, member)),
      ports: fc.oneof(
        fc.constant(null),
        fc.array(
          fc.record(
            { port: fc.integer({ min: 1, max: 3 }), name: member },
            { requiredKeys: ['port'] },
          ),
          { maxLength: 3 },
        ),
      ),
      sourceRanges: fc.oneof(
        fc.constant(null),
        fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      ),
    },
    { requiredKeys: [] },
  )
  .map(({ labels, sourceRanges, ...spec }) => ({
    ...(labels === undefined ? {} : { metadata: { labels } }),
    spec: {
      ...spec,
      ...(sourceRanges === undefined ? {} : { loadBalancerSourceRanges: sourceRanges }),
    },
  })) as fc.Arbitrary<JsonObject>

test('the cached fields of an apply are those of its body', () => {
  fc.assert(
    fc.property(fc.array(applied, { minLength: 1, maxLength: 8 }), (bodies) => {
      for (const body of bodies) {
        const fields = appliedFields(body, type, EMPTY, () => fieldSetOf(body, type))
        expect(equalSets(fields, fieldSetOf(body, type))).toBe(true)
      }
    }),
  )
})

test('a cached shape does not skip type errors', () => {
  const live = apply(undefined, 'm', { replicas: 1, ports: [{ port: 80 }], selector: { app: 'a' } })
  const wrong: JsonObject[] = [
    { replicas: '1', ports: [{ port: 80 }], selector: { app: 'a' } },
    { replicas: 1, ports: [{ port: '80' }], selector: { app: 'a' } },
    { replicas: 1, ports: [{ port: 80 }], selector: { app: 1 } },
    { replicas: 1, ports: [{ port: 80 }], selector: 'a' },
    { replicas: 1, ports: { port: 80 }, selector: { app: 'a' } },
    { replicas: 1, ports: [{ port: 80 }, { port: 80 }], selector: { app: 'a' } },
  ]
  for (const spec of wrong)
    expect(() => apply(live, 'm', spec)).toThrow('failed to create typed patch object')
})

test('names of Object.prototype are ordinary field names', () => {
  const live = apply(undefined, 'm', { options: { constructor: 'a', toString: 'b' } })
  expect(ownedBy(live, 'm')).toEqual({ 'f:options': { 'f:constructor': {}, 'f:toString': {} } })
  expect(specOf(apply(live, 'm', { options: { valueOf: 'c', toString: 'b' } }))).toEqual({
    options: { toString: 'b', valueOf: 'c' },
  })
})

test('paths beyond the size of the cache give the same result', () => {
  const args = Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`k${i}`, 'v']))
  const owned = ownedBy(apply(undefined, 'm', { options: args }), 'm') as JsonObject
  expect(Object.keys(owned['f:options'] as JsonObject)).toHaveLength(6000)
  expect(ownedBy(apply(undefined, 'm', { options: args }), 'm')).toEqual(owned)
})
