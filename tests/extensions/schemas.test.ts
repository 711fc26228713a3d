import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { schemaErrors } from '../../src/engine/kinds/apiextensions/validation/schema'

const STRING = { type: 'string' }
const reported = (schema: JsonObject, hasStatus = false) =>
  schemaErrors(schema, 's', hasStatus).map(({ field, detail }) => `${field}: ${detail}`)
/** Errors of the schema of one member. */
const reportedBy = (member: JsonObject) =>
  reported({ type: 'object', properties: { a: member } }).map((text) =>
    text.replace('s.properties[a]', ''),
  )

describe('a schema that is not structural', () => {
  test('has members that have no names at its root', () => {
    expect(reported({ type: 'object', additionalProperties: STRING })).toEqual([
      's.additionalProperties: Forbidden: must not be used at the root',
    ])
    expect(reported({ type: 'object', additionalProperties: true })).toEqual([
      's.additionalProperties: Forbidden: must not be used at the root',
    ])
  })

  test('speaks in the combinations of the whole object of members that are not there', () => {
    const spec = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'object', properties: { b: STRING } } } },
    }
    const combinations = {
      anyOf: [{ properties: { other: { minLength: 1 } } }],
      not: {
        properties: {
          spec: { properties: { list: { items: { properties: { c: { minimum: 1 } } } } } },
        },
      },
    }
    expect(reported({ type: 'object', properties: { spec }, ...combinations })).toEqual([
      's.properties[other]: Required value: because it is defined in s.anyOf[0].properties[other]',
      's.properties[spec].properties[list].items.properties[c]: Required value: because it is defined in s.not.properties[spec].properties[list].items.properties[c]',
    ])
  })

  test('speaks in a combination of metadata, or of more than values', () => {
    expect(
      reported({
        type: 'object',
        properties: { metadata: { type: 'object' } },
        anyOf: [{ properties: { metadata: {} } }],
      }),
    ).toEqual([
      's.anyOf[0].properties[metadata]: Forbidden: must not be specified in a nested context',
    ])
    const words = {
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-list-map-keys': ['b'],
      pattern: '(',
      'x-kubernetes-map-type': 'atomic',
    }
    expect(reportedBy({ type: 'string', allOf: [words] }).slice(0, 4)).toEqual([
      '.allOf[0].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
      '.allOf[0].x-kubernetes-list-map-keys: Forbidden: must be empty to be structural',
      '.allOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural',
      '.allOf[0].x-kubernetes-map-type: Forbidden: must be undefined to be structural',
    ])
  })

  test('has an embedded resource without object metadata', () => {
    const embedded = {
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }
    expect(reportedBy({ ...embedded, type: 'object', additionalProperties: STRING })).toEqual([
      '.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set',
    ])
    expect(reportedBy(embedded)).toEqual([
      '.type: Required value: must be object if x-kubernetes-embedded-resource is true',
    ])
    expect(
      reportedBy({
        ...embedded,
        type: 'object',
        properties: { kind: { type: 'integer' }, metadata: STRING },
      }),
    ).toEqual([
      '.properties[kind].type: Invalid value: "integer": must be string',
      '.properties[metadata].type: Invalid value: "string": must be object',
    ])
    const { 'x-kubernetes-preserve-unknown-fields': _, ...alone } = embedded
    expect(
      reportedBy({
        ...alone,
        type: 'object',
        properties: { b: STRING },
        'x-kubernetes-int-or-string': true,
      }),
    ).toEqual([
      '.x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
    ])
    expect(
      reported({
        type: 'object',
        properties: {
          metadata: { type: 'object', properties: { name: { ...embedded, type: 'object' } } },
        },
      }),
    ).toEqual([
      's.properties[metadata].properties[name].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta',
    ])
  })

  test('limits more of the metadata than names', () => {
    const why =
      'must not specify anything other than name and generateName, but metadata is implicitly specified'
    const metadata = (more: JsonObject) =>
      reported({ type: 'object', properties: { metadata: { type: 'object', ...more } } })
    expect(metadata({ additionalProperties: true })).toEqual([
      `s.properties[metadata]: Forbidden: ${why}`,
    ])
    expect(
      metadata({ properties: { name: { type: 'string', maxLength: 5 } }, required: [] }),
    ).toEqual([])
  })
})

describe('words of a schema', () => {
  test('that name members or exclude others exclude each other', () => {
    const why = 'additionalProperties and properties are mutual exclusive'
    expect(
      reportedBy({ type: 'object', properties: { b: STRING }, additionalProperties: false }),
    ).toEqual([`.additionalProperties: Forbidden: ${why}`])
  })

  test('are looked at in combinations too', () => {
    expect(reportedBy({ type: 'array', items: STRING, not: { uniqueItems: true } })).toEqual([
      '.not.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ])
  })

  test('that merge need a type', () => {
    const free = { 'x-kubernetes-preserve-unknown-fields': true }
    expect(reportedBy({ ...free, 'x-kubernetes-map-type': 'atomic' })).toEqual([
      '.type: Required value: must be object if x-kubernetes-map-type is specified',
    ])
    expect(reportedBy({ ...free, 'x-kubernetes-list-type': 'set' })).toEqual([
      '.type: Required value: must be array if x-kubernetes-list-type is specified',
    ])
  })

  test('that merge by keys need keys that are single values, there, and never null', () => {
    const list = (b: JsonObject) => ({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['b'],
      items: { type: 'object', required: ['b'], properties: { b } },
    })
    expect(reportedBy(list({ 'x-kubernetes-int-or-string': true }))).toEqual([])
    expect(reportedBy(list({ ...STRING, nullable: true }))).toEqual([
      '.items.properties[b].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
    ])
    expect(reportedBy(list({ type: 'array', items: STRING }))).toEqual([
      '.items.properties[b].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
    ])
    const { items: _, ...bare } = list(STRING)
    expect(reportedBy(bare)).toEqual([
      '.items: Required value: must be specified',
      '.items: Required value: must have a schema if x-kubernetes-list-type is map',
    ])
  })

  test('give no default to what every object has', () => {
    expect(reported({ type: 'object', properties: { kind: { ...STRING, default: 'x' } } })).toEqual(
      ['s.properties[kind].default: Forbidden: must not be set in top-level kind'],
    )
  })

  test('with a status subresource allow only keywords that hold for both parts', () => {
    expect(reported({ type: 'object', anyOf: [{ required: ['spec'] }] })).toEqual([])
    expect(reported({ type: 'object', anyOf: [{ required: ['spec'] }] }, true)).toEqual([
      expect.stringMatching(
        /^s: Invalid value: apiextensions\.JSONSchemaProps\{.*\}: only \[Description Type .* XValidations\] fields are allowed at the root of the schema if the status subresource is enabled$/,
      ),
    ])
    expect(reported({ type: 'string' }, true)[0]).toBe(
      's.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
    )
    expect(
      reported(
        {
          type: 'object',
          description: 'd',
          required: ['spec'],
          'x-kubernetes-validations': [{ rule: 'true' }],
        },
        true,
      ),
    ).toEqual([])
    const rejected = (more: JsonObject) =>
      reported({ type: 'object', ...more }, true).some((text) =>
        text.includes('fields are allowed at the root of the schema'),
      )
    // A keyword with an empty value counts, unless empty means the same as absent.
    const counting: JsonObject[] = [
      { default: {} },
      { not: {} },
      { additionalProperties: false },
      { 'x-kubernetes-map-type': '' },
    ]
    expect(counting.map(rejected)).not.toContain(false)
    const silent: JsonObject[] = [
      { nullable: false },
      { id: '' },
      { 'x-kubernetes-embedded-resource': false },
    ]
    expect(silent.map(rejected)).not.toContain(true)
  })

  test('check the fieldPath of a rule only if the schema around it is valid', () => {
    const rules = { 'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.gone' }] }
    const wrong =
      'x-kubernetes-validations[0].fieldPath: Invalid value: ".gone": fieldPath must be a valid path'
    const given = (member: JsonObject) =>
      reported({
        type: 'object',
        properties: { a: member, b: { type: 'object', ...rules } },
        ...rules,
      })
    expect(given(STRING)).toEqual([`s.properties[b].${wrong}`, `s.${wrong}`])
    expect(given({ ...STRING, $ref: '#/x' })).toEqual([
      's.properties[a].$ref: Forbidden: $ref is not supported',
      `s.properties[b].${wrong}`,
    ])
  })

  test('next to a rule are checked if the schema is wrong', () => {
    expect(
      reportedBy({ type: 'map', 'x-kubernetes-validations': [{ rule: ' ', message: '\n' }] }),
    ).toEqual([
      '.type: Unsupported value: "map": supported values: "array", "boolean", "integer", "number", "object", "string"',
      '.x-kubernetes-validations[0].rule: Required value: rule is not specified',
    ])
  })
})

describe('a default', () => {
  test('is checked whatever else is wrong with the schema', () => {
    const object = { type: 'object', properties: { b: STRING }, required: ['b'], default: { c: 1 } }
    expect(reportedBy(object)).toEqual([
      '.default: Invalid value: map[string]interface {}{"c":1}: must not have unknown fields',
      '.default.b: Required value',
    ])
  })

  test('holds embedded objects that can be read', () => {
    const inner = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }
    expect(
      reportedBy({
        type: 'object',
        additionalProperties: inner,
        default: { k: { apiVersion: 'v1', kind: 3 } },
      }),
    ).toEqual(['.default[k].kind: Invalid value: 3: must be a string'])
  })

  test('loses what it must not have before objects in it are read', () => {
    const inner = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }
    expect(
      reportedBy({
        type: 'object',
        properties: { inner },
        default: { more: 1, inner: { kind: 3 } },
      }),
    ).toEqual([
      '.default: Invalid value: map[string]interface {}{"inner":map[string]interface {}{"kind":3}, "more":1}: must not have unknown fields',
      '.default.inner.kind: Invalid value: 3: must be a string',
    ])
    expect(reportedBy({ ...inner, default: { kind: null } })).toEqual([
      '.default.kind: Invalid value: "null": must be a string',
    ])
    expect(
      reportedBy({
        ...inner,
        default: { apiVersion: 'v1', kind: 'Inner', metadata: { ownerReferences: [{}] } },
      })[0],
    ).toBe(
      '.default.metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
    )
  })

  test('for a part of metadata leaves that right', () => {
    const resource = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }
    const meta = (properties: JsonObject) =>
      reportedBy({ ...resource, properties: { metadata: { type: 'object', properties } } })
    expect(meta({ namespace: { ...STRING, default: 'A b' } })[0]).toMatch(
      /^.properties\[metadata\].properties\[namespace\].default: Invalid value: "A b": must result in valid metadata: metadata.namespace: Invalid value: "A b": a lowercase/,
    )
    const owners = {
      type: 'array',
      items: { type: 'object', default: { kind: 'x', name: 'y', uid: '' } },
    }
    expect(meta({ ownerReferences: owners })[0]).toMatch(
      /items.default: Invalid value: .*: must result in valid metadata: \[metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty, metadata.ownerReferences.uid: /,
    )
    expect(meta({ generation: { ...STRING, default: 'x' } })).toEqual([
      '.properties[metadata].properties[generation].default: Invalid value: "x": must result in valid metadata: metadata: Invalid value: map[string]interface {}{"generation":"x"}: json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64',
    ])
    expect(meta({ name: { ...STRING, maxLength: 1, default: 'xy' } })).toEqual([
      '.properties[metadata].properties[name].default: Too long: may not be longer than 1',
    ])
  })

  test('of int-or-string has the type in the schema next to it', () => {
    const either = { 'x-kubernetes-int-or-string': true, default: 5 }
    expect(reportedBy({ ...either, type: 'string' })).toEqual([
      '.default: Invalid value: "integer":  in body must be of type string: "integer"',
    ])
    expect(reportedBy(either)).toEqual([])
  })

  test('is pruned by what the schema names, whatever its type is', () => {
    const untyped = {
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { b: { type: 'object', properties: { c: STRING } } },
    }
    expect(reportedBy({ ...untyped, default: { b: { d: 1 }, e: 2 } })).toEqual([
      '.default: Invalid value: map[string]interface {}{"b":map[string]interface {}{"d":1}, "e":2}: must not have unknown fields',
    ])
    expect(reportedBy({ type: 'list', items: STRING, default: ['x'] })).toEqual([
      '.default: Invalid value: "array":  in body must be of type list: "array"',
      '.type: Unsupported value: "list": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ])
  })

  test('cannot be seen by rules where its schema has no type', () => {
    expect(
      reportedBy({
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-validations': [{ rule: 'true' }],
        default: 'x',
      }),
    ).toEqual([
      '.default: Invalid value: "": rule compiler initialization error: failed to convert to declType for CEL validation rules',
    ])
  })

  test('is not checked where members have no names', () => {
    expect(reportedBy({ type: 'object', additionalProperties: { ...STRING, default: 5 } })).toEqual(
      [],
    )
  })
})
