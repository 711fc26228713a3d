/** Applies of custom resources: through versions of other schemas, and with parts that cannot be decoded. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type SendRequest, testClient } from '../http/test-client'
import { define, definition } from './widgets'

const TEXT = { type: 'string' }
const LIST = { type: 'array', items: TEXT }
const EMBEDDED = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
}
const schemaOf = (spec: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
})
const COMMON = {
  color: TEXT,
  options: { type: 'object', additionalProperties: TEXT },
  part: EMBEDDED,
}
const VERSIONS = [
  {
    name: 'v1',
    served: true,
    storage: true,
    schema: schemaOf({ ...COMMON, names: LIST, weight: { type: 'integer' } }),
  },
  {
    name: 'v2',
    served: true,
    storage: false,
    schema: schemaOf({ ...COMMON, names: { ...LIST, 'x-kubernetes-list-type': 'set' } }),
  },
]

let sendRequest: SendRequest
beforeEach(async () => {
  sendRequest = testClient()
  await define(sendRequest, definition('widgets', 'Widget', { versions: VERSIONS }))
})

const collection = (version: string) => `/apis/example.com/${version}/namespaces/default/widgets`
const patch = (target: string, type: string, body: object) =>
  sendRequest(target, { method: 'PATCH', headers: { 'content-type': `application/${type}` }, body })
const apply = (version: string, manager: string, spec: object, metadata: object = {}) =>
  patch(
    `${collection(version)}/one?force=true&fieldManager=${manager}`,
    'apply-patch+yaml',
    widget(version, spec, metadata),
  )
const merge = (version: string, spec: object) =>
  patch(`${collection(version)}/one`, 'merge-patch+json', { spec })
const widget = (version: string, spec: object, metadata: object = {}) => ({
  apiVersion: `example.com/${version}`,
  kind: 'Widget',
  metadata: { name: 'one', ...metadata },
  spec,
})

const TWICE = '.spec.names: duplicate entries for key [="x"]'
const UNDECLARED = '.spec.weight: field not declared in schema'

describe('an apply that does not fit the version of another manager', () => {
  it.each([
    ['a repeated item', { names: ['x', 'x'] }, TWICE],
    ['a member that it lacks', { weight: 1 }, UNDECLARED],
  ])('cannot be applied: %s', async (_what, spec, problem) => {
    await apply('v2', 'two', { color: 'red' })
    expect((await apply('v1', 'one', spec)).json).toMatchObject({
      code: 500,
      message: `failed to convert new object: ${problem}`,
    })
  })

  it('is reported as the reason why nothing can be removed, if the applier owned something', async () => {
    await apply('v2', 'two', { color: 'red' })
    await apply('v1', 'one', { names: ['x'] })
    const { json } = await apply('v1', 'one', { names: ['x'], weight: 1 })
    const reason =
      'failed add back owned items: failed to convert merged object at version example.com/v2'
    expect(json.message).toBe(`failed to prune fields: ${reason}: ${UNDECLARED}`)
  })

  it('is reported as the last applied state of the applier', async () => {
    await apply('v2', 'one', { color: 'red' })
    const { json } = await apply('v1', 'one', { weight: 1 })
    expect(json.message).toBe(
      `failed to prune fields: failed to convert merged object to last applied version: ${UNDECLARED}`,
    )
  })

  it('forbids every apply once it is stored', async () => {
    await apply('v1', 'one', { names: ['x', 'x'] })
    await merge('v2', { color: 'red' })
    expect((await apply('v1', 'three', { color: 'blue' })).json).toMatchObject({
      code: 500,
      message: TWICE,
    })
  })

  it('leaves no manager when it is written by an update', async () => {
    await apply('v2', 'two', { color: 'red' })
    const { status, json } = await merge('v1', { weight: 1 })
    expect(status).toBe(200)
    expect(json.metadata).not.toHaveProperty('managedFields')
  })
})

it.each([
  ['v1', 'v2'],
  ['v2', 'v1'],
  ['v1', 'v1'],
])('an emptied map becomes null, which fits no map, from %s to %s', async (before, after) => {
  await apply(before, 'one', { options: { a: 'b' } })
  const { status, json } = await apply(after, 'one', { options: {} })
  expect([status, json.message]).toEqual([
    422,
    expect.stringContaining('spec.options in body must be of type object: "null"'),
  ])
})

describe('a part of an apply that cannot be decoded', () => {
  it.each([
    { creationTimestamp: 'yesterday' },
    { creationTimestamp: 3 },
    { deletionTimestamp: 'soon' },
    { generation: 1.5 },
  ])('is left out of the metadata: %j', async (metadata) => {
    const { status, json } = await apply('v1', 'one', { color: 'red' }, metadata)
    expect(status).toBe(201)
    expect(json.metadata).toMatchObject({
      generation: 1,
      creationTimestamp: expect.stringMatching(/Z$/),
    })
    expect(json.metadata).not.toHaveProperty('deletionTimestamp')
  })

  it.each([
    [{ apiVersion: 'v1', kind: null }, 'spec.part.kind: Invalid value: "null": must be a string'],
    [
      { apiVersion: 'v1', kind: 'Part', metadata: { creationTimestamp: 'yesterday' } },
      'spec.part.metadata: Invalid value: ',
    ],
  ])('is an error of an object inside: %j', async (part, problem) => {
    const { status, json } = await apply('v1', 'one', { part })
    expect([status, json.message]).toEqual([
      422,
      expect.stringContaining(`Widget.example.com "one" is invalid: ${problem}`),
    ])
  })
})

it('unknown fields are printed unchanged between quotes', async () => {
  const body = widget('v1', {
    'a"b': 1,
    part: { apiVersion: 'v1', kind: 'Part', metadata: { 'c\\d': 1 } },
  })
  const { json } = await sendRequest(`${collection('v1')}?fieldValidation=Strict`, {
    method: 'POST',
    body,
  })
  expect(json.message).toMatch(
    /strict decoding error: unknown field "spec\.a"b", unknown field "spec\.part\.metadata\.c\\d"$/,
  )
})

describe('in an object that preserves unknown fields', () => {
  const KEEPING = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { inner: schemaOf({}).openAPIV3Schema },
  }
  beforeEach(async () => {
    const [served, other] = VERSIONS
    const versions = [
      {
        ...served,
        schema: schemaOf({ ...COMMON, kept: KEEPING, inner: KEEPING.properties.inner }),
      },
      other,
    ]
    const headers = { 'content-type': 'application/merge-patch+json' }
    await sendRequest(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com',
      {
        method: 'PATCH',
        headers,
        body: { spec: { versions } },
      },
    )
  })

  it('everything may be applied, but objects with properties are still pruned', async () => {
    const { status, json } = await apply('v1', 'one', { kept: { other: 1, inner: { unknown: 1 } } })
    expect([status, json.spec]).toEqual([201, { kept: { other: 1, inner: {} } }])
    const fieldsV1 = { 'f:spec': { 'f:kept': { 'f:inner': { 'f:unknown': {} }, 'f:other': {} } } }
    expect(json.metadata).toMatchObject({ managedFields: [{ manager: 'one', fieldsV1 }] })
  })

  it('a field next to it may not be applied', async () => {
    const { json } = await apply('v1', 'one', { inner: { unknown: 1 } })
    expect(json.message).toMatch(/: \.spec\.inner\.unknown: field not declared in schema$/)
  })
})
