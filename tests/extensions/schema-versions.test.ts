import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import type { Definition } from '../../src/engine/kinds/apiextensions/definition'
import { validateDefinition } from '../../src/engine/kinds/apiextensions/validation/definition'

const STRING = { type: 'string' }
describe('versions of a definition', () => {
  const schema = (type: string) => ({
    openAPIV3Schema: { type: 'object', properties: { a: { type } } },
  })
  const errorsOf = (...versions: JsonObject[]) =>
    validateDefinition({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions,
        conversion: { strategy: 'None' },
      },
      status: { conditions: [], acceptedNames: {}, storedVersions: ['v1'] },
    } as unknown as Definition).map(({ field, detail }) => `${field}: ${detail}`)

  test('report common errors once, and other errors for each version', () => {
    const wrong = { additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: '.a' }] }
    const why = 'Invalid value: "text": must be one of boolean,date,integer,number,string'
    const v1 = { name: 'v1', served: true, storage: true, ...wrong }
    const v2 = { name: 'v2', served: true, storage: false, ...wrong }
    expect(
      errorsOf({ ...v1, schema: schema('string') }, { ...v2, schema: schema('integer') }),
    ).toEqual([`spec.additionalPrinterColumns[0].type: ${why}`])
    const { additionalPrinterColumns: _, ...plain } = v2
    expect(errorsOf({ ...v1, schema: schema('map') }, { ...plain, schema: schema('map') })).toEqual(
      [
        `spec.versions[0].additionalPrinterColumns[0].type: ${why}`,
        expect.stringContaining(
          'spec.validation.openAPIV3Schema.properties[a].type: Unsupported value: "map"',
        ),
      ],
    )
  })

  test('select together with a schema, by paths whose every step is there', () => {
    const version = (name: string, more: JsonObject) => ({
      name,
      served: true,
      storage: name === 'v1',
      ...more,
    })
    const fields = (...paths: string[]) => ({
      selectableFields: paths.map((jsonPath) => ({ jsonPath })),
    })
    expect(
      errorsOf(
        version('v1', { schema: schema('string'), ...fields('.a') }),
        version('v2', { schema: schema('string') }),
      ),
    ).toEqual([
      'spec.versions[0].selectableFields: Invalid value: "": selectableFields may only be set when version.schema.openAPIV3Schema is not included',
    ])
    const differing = [
      version('v1', { schema: schema('string'), ...fields('.a') }),
      version('v2', { schema: schema('integer'), ...fields('.a') }),
    ]
    expect(errorsOf(...differing)).toEqual([
      'spec.selectableFields: Invalid value: "": selectableFields may only be set when validations.schema is included',
    ])
    const open = {
      openAPIV3Schema: {
        type: 'object',
        properties: { m: { type: 'object', additionalProperties: STRING }, a: STRING },
      },
    }
    expect(
      errorsOf(version('v1', { schema: open, ...fields('.m.any', '.a.', '.b[0]', 'a') })),
    ).toEqual([
      'spec.selectableFields[1].jsonPath: Invalid value: ".a.": is an invalid path: unexpected end of JSON path',
      'spec.selectableFields[2].jsonPath: Invalid value: ".b[0]": is an invalid path: does not refer to a valid field',
      'spec.selectableFields[3].jsonPath: Invalid value: "a": is an invalid path: expected [ or . but got: a',
    ])
  })

  test('with selectable fields report again why the schema has no such field', () => {
    const errors = (member: JsonObject) => {
      const openAPIV3Schema = { type: 'object', properties: { a: member } }
      const version = {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema },
        selectableFields: [{ jsonPath: 'a' }],
      }
      return errorsOf(version).filter((text) => !text.startsWith('spec.validation.'))
    }
    const path =
      'spec.selectableFields[0].jsonPath: Invalid value: "a": is an invalid path: expected [ or . but got: a'
    expect(errors(STRING)).toEqual([path])
    const reported: [JsonObject, string][] = [
      [{ ...STRING, $ref: '#/x' }, "OpenAPIV3Schema '$ref' is not supported"],
      [{ ...STRING, $schema: 'x' }, "OpenAPIV3Schema 'schema' is not supported"],
      [
        { type: 'array', items: [STRING] },
        "OpenAPIV3Schema 'items' must be a schema, but is an array",
      ],
      [
        { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
        "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined",
      ],
    ]
    for (const [member, why] of reported)
      expect(errors(member)).toEqual([
        `spec.schema.openAPIV3Schema: Invalid value: "": ${why}`,
        path,
      ])
  })

  test('of one name are stored once', () => {
    const version = { name: 'v1', served: true, storage: true, schema: schema('string') }
    expect(errorsOf(version, version)).toContain(
      'status.storedVersions: Invalid value: []string{"v1"}: must have the storage version v1',
    )
  })

  test('select by no part of the metadata, even where the schema has it', () => {
    const name = { type: 'object', properties: { name: STRING, other: STRING } }
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object', properties: { metadata: name } } },
    }
    expect(errorsOf({ ...version, selectableFields: [{ jsonPath: '.metadata.name' }] })).toContain(
      'spec.selectableFields[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata',
    )
  })

  test('report everything that is wrong with a deprecation warning', () => {
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: schema('string'),
      deprecated: true,
    }
    expect(errorsOf({ ...version, deprecationWarning: `é\u00a0${'x'.repeat(256)}` })).toEqual([
      expect.stringContaining('must be <= 256 characters long'),
      expect.stringContaining(
        'must only contain printable UTF-8 characters; non-printable character found at index 2',
      ),
    ])
  })
})
