/** Custom resources in OpenAPI 2.0, which old versions of kubectl use. */
import { expect, it } from 'vitest'
import { testClient } from './test-client'

const WORDS = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: {
          type: 'integer',
          default: 1,
          minimum: 0,
          maximum: 7,
          example: 3,
          externalDocs: { url: 'https://example.com' },
        },
        port: { 'x-kubernetes-int-or-string': true },
        share: { type: 'string', 'x-kubernetes-int-or-string': true },
        extra: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { known: { type: 'string' } },
        },
        note: { type: 'string', nullable: true },
        choice: { type: 'string', oneOf: [{ pattern: '^a' }, { pattern: '^b' }] },
        tags: { type: 'object', nullable: true, additionalProperties: { type: 'string' } },
        pod: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        pair: {
          type: 'object',
          required: ['first', 'second'],
          properties: { first: { type: 'string', nullable: true }, second: { type: 'string' } },
        },
      },
    },
  },
}

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: WORDS },
        subresources: { status: {} },
      },
    ],
  },
}

interface Document {
  info: { version: string }
  paths: Record<string, Record<string, { operationId?: string; consumes?: string[] }>>
  definitions: Record<
    string,
    { properties?: Record<string, { properties?: Record<string, unknown> }> }
  >
}
const documentOf = (json: object): Document => json as Document

it('lists their paths, and their schemas as far as version 2 allows', async () => {
  const sendRequest = testClient()
  const before = (await sendRequest('/openapi/v2')).headers.get('etag')
  await sendRequest('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    method: 'POST',
    body: DEFINITION,
  })
  await expect
    .poll(async () => (await sendRequest('/apis/example.com/v1/widgets')).status)
    .toBe(200)
  const response = await sendRequest('/openapi/v2')
  expect(response.headers.get('etag')).not.toBe(before)
  const { info, paths, definitions } = documentOf(response.json)
  expect(info.version).toBe('1.31')
  expect(paths['/apis/example.com/v1/widgets']?.get?.consumes).toEqual([
    'application/json',
    'application/yaml',
  ])
  expect(
    paths['/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/status']?.patch?.operationId,
  ).toBe('patchExampleComV1NamespacedWidgetStatus')
  expect(paths['/api/v1/namespaces/{namespace}/pods']).toBeDefined()
  const widget = definitions['com.example.v1.Widget']
  expect(widget?.properties?.metadata).toMatchObject({
    $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  })
  expect(widget?.properties?.spec?.properties).toEqual({
    size: { type: 'integer', minimum: 0, maximum: 7 },
    port: { 'x-kubernetes-int-or-string': true },
    share: { type: 'string', 'x-kubernetes-int-or-string': true },
    extra: { 'x-kubernetes-preserve-unknown-fields': true },
    tags: { additionalProperties: { type: 'string' } },
    pod: { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    pair: {
      type: 'object',
      required: ['second'],
      properties: { first: {}, second: { type: 'string' } },
    },
    note: {},
    choice: { type: 'string' },
  })
  const packed = await sendRequest('/openapi/v2', {
    headers: { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' },
  })
  expect(packed.text).toContain('com.example.v1.WidgetList')
})

it.each([
  ['Cluster', 'listExampleComV1Gadget', 'deleteExampleComV1Collectiongadget'],
  ['Namespaced', 'listExampleComV1GadgetForAllNamespaces', undefined],
])('names the operations of a lower-case kind as recorded: %s', async (scope, listed, deleted) => {
  const sendRequest = testClient()
  const spec = { ...DEFINITION.spec, scope, names: { plural: 'gadgets', kind: 'gadget' } }
  const body = { ...DEFINITION, metadata: { name: 'gadgets.example.com' }, spec }
  await sendRequest('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    method: 'POST',
    body,
  })
  await expect
    .poll(async () => (await sendRequest('/apis/example.com/v1/gadgets')).status)
    .toBe(200)
  const { paths } = documentOf((await sendRequest('/openapi/v2')).json)
  const { get, delete: removed } = paths['/apis/example.com/v1/gadgets'] ?? {}
  expect([get?.operationId, removed?.operationId]).toEqual([listed, deleted])
})
