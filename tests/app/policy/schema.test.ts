/** What the designer reads out of a definition. */
import { describe, expect, it } from 'vitest'
import {
  type Design,
  designIn,
  objectsPath,
  pathInDefinition,
} from '../../../src/app/features/policy/definition'
import { FIRST_DESIGN } from '../../../src/app/features/policy/design-state'
import { formField, withItem, withMember } from '../../../src/app/features/policy/form'
import { sampleOf } from '../../../src/app/features/policy/sample'
import { foldedAtFirst, schemaRows, shownRows } from '../../../src/app/features/policy/schema-rows'
import { readText } from '../../../src/app/features/policy/yaml-text'
import type { JsonObject } from '../../../src/engine/core/object'
import { RULE_LIMIT, ruleCosts } from '../../../src/engine/inspection/rule-expression'
import { sendRequest, testServer } from '../../support/server'

const document = readText(FIRST_DESIGN.definition) as JsonObject
const design = designIn(document) as Design
const version = design.versions[0] as Design['versions'][number]

describe('the schema as rows', () => {
  const rows = schemaRows(version.schema, version.path)
  const row = (name: string) => rows.find((candidate) => candidate.name === name)

  it('has types, defaults, limits and markers', () => {
    expect(rows.map(({ depth, name }) => `${depth} ${name}`)).toEqual([
      '0 ',
      '1 spec',
      '2 keep',
      '2 mode',
      '2 schedule',
      '2 targets',
      '3 []',
      '4 name',
      '4 path',
    ])
    expect(row('keep')).toMatchObject({
      type: 'integer',
      default: 7,
      bounds: ['≥ 1'],
      required: false,
    })
    expect(row('mode')?.bounds).toEqual(['one of "full", "incremental"'])
    expect(row('targets')).toMatchObject({
      type: '[]object',
      markers: ['list keyed by name'],
      count: 1,
    })
    expect(row('path')).toMatchObject({
      count: 20,
      path: `${version.path}.properties[spec].properties[targets].items.properties[path]`,
    })
  })

  it('names rules by the paths of the engine’s cost estimates', () => {
    const paths = rows.flatMap(({ rules }) => rules.map(({ path }) => path))
    expect(paths).toEqual(ruleCosts(version.schema, version.path).map(({ path }) => path))
    expect(paths).toHaveLength(2)
  })
})

describe('folded rows', () => {
  const rows = schemaRows(version.schema, version.path)
  const pathOf = (name: string) => rows.find((row) => row.name === name)?.path ?? ''
  const names = (...folded: string[]) =>
    shownRows(rows, new Set(folded.map(pathOf))).map(({ name }) => name)

  it('hide their children and count them', () => {
    expect(names('targets')).toEqual(['', 'spec', 'keep', 'mode', 'schedule', 'targets'])
    expect(names('spec', 'targets')).toEqual(['', 'spec'])
    expect(shownRows(rows, new Set([pathOf('targets')])).at(-1)).toMatchObject({
      within: 3,
      folded: true,
    })
  })

  it('have something inside: folding a leaf changes nothing', () => {
    expect(names('keep')).toEqual(names())
    expect(names()).toHaveLength(rows.length)
  })

  it('are at first those below the second level of a schema of many rows', () => {
    const member = { type: 'object', properties: { inner: { type: 'string' } } }
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`m${i}`, member]))
    const large = schemaRows(
      { type: 'object', properties: { spec: { type: 'object', properties } } },
      '',
    )
    expect(shownRows(large, foldedAtFirst(large))).toHaveLength(42)
    expect(foldedAtFirst(rows).size).toBe(0)
  })
})

it('finds the position of errors in a schema that all versions share', () => {
  const field = 'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule'
  expect(pathInDefinition(field, design)).toBe(
    `${version.path}.properties[spec].x-kubernetes-validations[0].rule`,
  )
  expect(pathInDefinition('spec.names.plural', design)).toBe('spec.names.plural')
})

it('is not a design without a group, names and a schema', () => {
  expect(designIn({})).toBeUndefined()
  expect(
    designIn({
      spec: { group: 'g', names: { plural: 'p', kind: 'K' }, versions: [{ name: 'v1' }] },
    }),
  ).toBeUndefined()
})

it('makes an object that the server takes, and fills in', async () => {
  const server = testServer()
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  expect(
    (await sendRequest(server, { method: 'POST', path: definitions, body: document })).status,
  ).toBe(201)
  const objects = objectsPath(design, version.name, 'default')
  await expect.poll(async () => (await sendRequest(server, { path: objects })).status).toBe(200)
  const sample = sampleOf(design, version.name, version.schema)
  expect(sample.spec).not.toHaveProperty('keep')
  const { status, json } = await sendRequest(server, {
    method: 'POST',
    path: `${objects}?fieldValidation=Strict`,
    body: sample,
  })
  expect([status, json.spec.keep, json.spec.mode]).toEqual([201, 7, 'full'])
})

it('estimates a rule over its limit if a list is unbounded', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: { names: { type: 'array', items: { type: 'string' } } },
    'x-kubernetes-validations': [{ rule: "self.names.all(n, n.matches('a+'))" }],
  }
  expect(ruleCosts(schema, 'x')[0]?.cost).toBeGreaterThan(RULE_LIMIT)
})

describe('the form', () => {
  it('has a field for each type', () => {
    expect(formField({ type: 'string' }).kind).toBe('text')
    expect(formField({ type: 'string', enum: ['a'] })).toMatchObject({
      kind: 'choice',
      values: ['a'],
    })
    expect(formField({ type: 'number' })).toMatchObject({ kind: 'number', whole: false })
    expect(formField({ type: 'boolean', default: true })).toMatchObject({
      kind: 'flag',
      placeholder: 'true by default',
    })
    expect(formField({ type: 'array', items: { type: 'string' } })).toMatchObject({
      kind: 'list',
      type: '[]string',
    })
    const counts: JsonObject = { type: 'object', additionalProperties: { type: 'integer' } }
    expect(formField(counts)).toMatchObject({ kind: 'map', type: 'map[string]integer' })
    expect(formField({ 'x-kubernetes-int-or-string': true }).kind).toBe('other')
    expect(formField({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }).kind).toBe(
      'other',
    )
  })

  it('leaves members in their place, and takes out what is emptied', () => {
    expect(JSON.stringify(withMember({ a: 1, b: 2 }, 'a', 3))).toBe('{"a":3,"b":2}')
    expect(withMember({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
    expect(withItem([1, 2], 2, 3)).toEqual([1, 2, 3])
    expect(withItem([1, 2], 0, undefined)).toEqual([2])
  })
})
