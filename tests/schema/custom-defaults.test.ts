import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { modelOfCustomSchema } from '../../src/engine/schema/custom'
import { applyCustomDefaults } from '../../src/engine/schema/custom-defaults'

/** Returns the spec of an object after defaulting by the schema of its spec. */
function defaulted(schema: JsonObject, spec: JsonObject) {
  const object: JsonObject = { spec: structuredClone(spec) }
  applyCustomDefaults(
    modelOfCustomSchema({ type: 'object', properties: { spec: { type: 'object', ...schema } } }),
    object,
  )
  return object.spec
}

const text = (members: JsonObject = {}): JsonObject => ({
  type: 'string',
  default: 'some',
  ...members,
})
const list = (items: JsonObject): JsonObject => ({ properties: { all: { type: 'array', items } } })

test.each([
  [
    'takes the place of a null among items',
    list(text()),
    { all: [null, 'a'] },
    { all: ['some', 'a'] },
  ],
  [
    'leaves a null among items that may be null',
    list(text({ nullable: true })),
    { all: [null] },
    { all: [null] },
  ],
  [
    'that is missing leaves nulls among items',
    list({ type: 'string' }),
    { all: [null] },
    { all: [null] },
  ],
  [
    'takes the place of a null without a name of its own',
    { additionalProperties: text() },
    { a: null, b: 'b' },
    { a: 'some', b: 'b' },
  ],
  [
    'that is missing drops a null without a name of its own',
    { additionalProperties: { type: 'string' } },
    { a: null },
    {},
  ],
  [
    'leaves nulls of which no schema speaks',
    { additionalProperties: true },
    { a: null },
    { a: null },
  ],
  [
    'goes into the metadata of an object inside',
    {
      'x-kubernetes-embedded-resource': true,
      properties: { metadata: { type: 'object', properties: { name: text() } } },
    },
    { metadata: {} },
    { metadata: { name: 'some' } },
  ],
  [
    'comes for members of what has no type',
    {
      properties: {
        free: { 'x-kubernetes-preserve-unknown-fields': true, properties: { a: text() } },
      },
    },
    { free: { b: 1 } },
    { free: { a: 'some', b: 1 } },
  ],
  [
    'comes for members of what should be a text',
    { properties: { odd: text({ properties: { a: text() } }) } },
    { odd: {} },
    { odd: { a: 'some' } },
  ],
  [
    'comes for items of what has no type',
    { properties: { free: { items: text() } } },
    { free: [null] },
    { free: ['some'] },
  ],
  [
    'of items has the defaults of its members',
    list({ type: 'object', default: {}, properties: { a: text() } }),
    { all: [null] },
    { all: [{ a: 'some' }] },
  ],
])('a default %s', (_, schema, given, expected) => {
  expect(defaulted(schema as JsonObject, given as JsonObject)).toEqual(expected)
})
