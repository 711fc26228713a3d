/**
 * Custom resource requests are dispatched by namespace, subresource and verb; other path segments
 * are ignored. Recorded from kube-apiserver 1.31.
 */
import { expect, test } from 'vitest'
import { sendRequest, testServer } from '../support/server'

const COGS = '/apis/shop.example/v1/namespaces/default/cogs'
const NO_SCALE = 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:100"'

const ANYTHING = {
  openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
}
const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' },
}

async function cogs() {
  const server = testServer()
  const spec = {
    group: 'shop.example',
    scope: 'Namespaced',
    names: { plural: 'cogs', kind: 'Cog' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: ANYTHING, subresources },
      {
        name: 'v1alpha1',
        served: true,
        storage: false,
        deprecated: true,
        deprecationWarning: 'old cogs',
        schema: ANYTHING,
        subresources,
      },
    ],
  }
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'cogs.shop.example' },
    spec,
  }
  await sendRequest(server, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body,
  })
  await new Promise((resolve) => setTimeout(resolve))
  const cog = {
    apiVersion: 'shop.example/v1',
    kind: 'Cog',
    metadata: { name: 'big' },
    spec: { count: 2 },
  }
  expect((await sendRequest(server, { method: 'POST', path: COGS, body: cog })).status).toBe(201)
  return (method: string, path: string, sent?: unknown, headers: Record<string, string> = {}) =>
    sendRequest(server, { method, path, headers, ...(sent === undefined ? {} : { body: sent }) })
}

test('ignores segments behind the subresource', async () => {
  const send = await cogs()
  expect((await send('GET', `${COGS}/big/status/more/of/it`)).json.spec).toEqual({ count: 2 })
  expect((await send('HEAD', `${COGS}/big/scale`)).status).toBe(200)
  expect((await send('HEAD', COGS)).status).toBe(200)
})

test('a POST to a name creates the object under its own name', async () => {
  const send = await cogs()
  const small = { apiVersion: 'shop.example/v1', kind: 'Cog', metadata: { name: 'small' } }
  expect((await send('POST', `${COGS}/other`, small)).json.metadata.name).toBe('small')
})

test.each([
  ['POST', `${COGS}/big/status`, 'create'],
  ['DELETE', `${COGS}/big/scale`, 'delete'],
  ['DELETE', `${COGS}//status`, 'deletecollection'],
  ['OPTIONS', COGS, ''],
  ['GET', '/apis/shop.example/v1/watch/namespaces/default/cogs/big/status', 'watch'],
  ['GET', '/apis/shop.example/v1/proxy/namespaces/default/cogs/big', 'proxy'],
])('%s %s: returns 405 with the verb', async (method, path, verb) => {
  const { status, json } = await (await cogs())(method, path)
  expect([status, json.message]).toEqual([
    405,
    `${verb} is not supported on resources of kind "cogs.shop.example"`,
  ])
  expect(json.details).toEqual({ group: 'shop.example', kind: 'cogs' })
})

test.each([
  ['POST', '/apis/shop.example/v1/cogs'],
  ['GET', '/apis/shop.example/v1/cogs/big'],
])(
  '%s %s: returns 404 for anything but lists and watches without a namespace',
  async (method, path) => {
    const { status, text } = await (await cogs())(method, path)
    expect([status, text]).toEqual([404, '404 page not found\n'])
  },
)

test('checks the type of a patch before the missing name', async () => {
  const send = await cogs()
  expect((await send('PUT', COGS, {})).json.message).toBe('name must be provided')
  expect((await send('PATCH', COGS, {})).status).toBe(415)
  expect(
    (await send('PATCH', COGS, {}, { 'content-type': 'application/merge-patch+json' })).json
      .message,
  ).toBe('name must be provided')
})

test('a deprecated version warns on any method, and any method lists its resources', async () => {
  const send = await cogs()
  for (const rest of ['big/status', 'big/nosuch', 'big/scale']) {
    const { headers } = await send('OPTIONS', `${COGS.replace('v1/', 'v1alpha1/')}/${rest}`)
    expect(headers.get('warning')).toBe('299 - "old cogs"')
  }
  expect((await send('POST', '/apis/shop.example/v1', {})).json.kind).toBe('APIResourceList')
})

test('requires apiVersion and kind in the body', async () => {
  const send = await cogs()
  const message = async (sent: unknown) => (await send('POST', COGS, sent)).json.message
  expect(await message({ kind: 'Cog', metadata: { name: 'x' } })).toBe(
    'the API version in the data () does not match the expected API version (shop.example/v1)',
  )
  const other =
    'the API version in the data (v1) does not match the expected API version (shop.example/v1)'
  expect(await message({ apiVersion: 'v1', kind: 'Other', metadata: { name: 'x' } })).toBe(other)
  expect(
    await message({ apiVersion: 'shop.example/v1', kind: 'Other', metadata: { name: 'x' } }),
  ).toContain('must be Cog')
  expect(await message({ apiVersion: 'shop.example/v1' })).toContain(`Object 'Kind' is missing in`)
  expect((await send('POST', `${COGS}?fieldValidation=Ignore`, { spec: {} })).json.message).toBe(
    `Cog in version "v1" cannot be handled as a Cog: Object 'Kind' is missing in '{"spec":{}}'`,
  )
  expect((await send('PUT', `${COGS}/big/scale`, { kind: 'Other' })).json.message).toBe(NO_SCALE)
  expect((await send('POST', COGS, 'x', { 'content-type': 'text/plain' })).json.message).toMatch(
    /application\/vnd.kubernetes.protobuf$/,
  )
})

test('a Scale as a Table has its own columns', async () => {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const { json } = await (await cogs())('GET', `${COGS}/big/scale`, undefined, { accept })
  expect(json.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
    'Name',
    'Desired',
    'Available',
    'Age',
  ])
  expect(json.rows[0].cells.slice(0, 3)).toEqual(['big', 2, 0])
})

test('reads DeleteOptions as Protobuf', async () => {
  const { status, json } = await (await cogs())('DELETE', `${COGS}/big`, 'x', {
    'content-type': 'application/vnd.kubernetes.protobuf',
  })
  expect([status, json.message]).toEqual([
    500,
    'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
  ])
})
