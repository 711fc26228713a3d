/** Rare reads; each was compared with kube-apiserver. */
import { describe, expect, it, test } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { sendRequest, type TestResponse, testServer } from '../support/server'

const AS_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const DEFAULT = '/api/v1/namespaces/default'
const clock = new SimulatedClock()
const server = testServer({ clock })

const gadgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
}

/** Advances the clock until the response arrives. */
async function sendPatiently(path: string): Promise<TestResponse> {
  let response: TestResponse | undefined
  const requested = sendRequest(server, { path }).then((found) => {
    response = found
  })
  while (response === undefined) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(100)
  }
  await requested
  return response
}

describe('a future resourceVersion', () => {
  const details = async (path: string) =>
    (await sendPatiently(`${path}?resourceVersion=999999999`)).json.details

  it.each([`${DEFAULT}/configmaps`, `${DEFAULT}/configmaps/a`, DEFAULT])(
    'is awaited for three seconds: %s',
    async (path) => {
      const began = clock.now()
      expect((await sendPatiently(`${path}?resourceVersion=999999999`)).status).toBe(504)
      expect(clock.now() - began).toBeGreaterThanOrEqual(3000)
      expect(clock.now() - began).toBeLessThan(4000)
    },
  )

  it.each(['/configmaps?', '/configmaps/awaited?'])(
    'returns as soon as it is reached: %s',
    async (path) => {
      const post = () =>
        sendRequest(server, {
          method: 'POST',
          path: `${DEFAULT}/configmaps`,
          body: { metadata: { generateName: 'a-' } },
        })
      await sendRequest(server, {
        method: 'POST',
        path: `${DEFAULT}/configmaps`,
        body: { metadata: { name: 'awaited' } },
      })
      const next = Number((await post()).json.metadata.resourceVersion) + 1
      const began = clock.now()
      const requested = sendPatiently(`${DEFAULT}${path}resourceVersion=${next}`)
      await post()
      expect((await requested).status).toBe(200)
      expect(clock.now() - began).toBeLessThan(1000)
    },
  )

  it('sets retryAfterSeconds to one', async () => {
    expect((await details('/api/v1/namespaces/default/configmaps')).retryAfterSeconds).toBe(1)
  })

  it.each([
    '/api/v1/namespaces/default/events',
    '/apis/events.k8s.io/v1/namespaces/default/events',
  ])('is not awaited for Events: %s', async (path) => {
    expect(await details(path)).toEqual({
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    })
  })
})

describe('Events, which are not cached', () => {
  const own = testServer()
  const EVENTS = '/api/v1/namespaces/default/events'
  const event = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name },
    involvedObject: { namespace: 'default' },
  })
  const message = (version: string) =>
    `resourceVersion: Invalid value: "${version}": strconv.ParseUint: parsing "${version}": invalid syntax`

  it.each([
    [`${EVENTS}?resourceVersion=odd`, 400, `invalid resource version: ${message('odd')}`],
    [`${EVENTS}/none?resourceVersion=-3`, 400, `invalid resource version: ${message('-3')}`],
    [
      '/api/v1/secrets?resourceVersion=odd&limit=3',
      400,
      `invalid resource version: ${message('odd')}`,
    ],
    ['/api/v1/secrets?resourceVersion=odd', 500, message('odd')],
    [
      '/api/v1/secrets?resourceVersion=odd&resourceVersionMatch=NotOlderThan&limit=3',
      500,
      message('odd'),
    ],
  ])(
    'parse resourceVersion like the store, as do lists with a limit: %s',
    async (path, code, output) => {
      const { status, json } = await sendRequest(own, { path })
      expect([status, json.message]).toEqual([code, output])
    },
  )

  it('respect a limit with resourceVersion=0', async () => {
    for (const name of ['a', 'b', 'c'])
      await sendRequest(own, { method: 'POST', path: EVENTS, body: event(name) })
    const { items, metadata } = (
      await sendRequest(own, { path: `${EVENTS}?resourceVersion=0&limit=2` })
    ).json
    expect([items.length, metadata.remainingItemCount]).toEqual([2, 1])
    expect(
      (await sendRequest(own, { path: '/api/v1/namespaces?resourceVersion=0&limit=1' })).json.items
        .length,
    ).toBeGreaterThan(1)
  })

  it('are lists of the core group', async () => {
    const headers = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }
    const { json } = await sendRequest(own, { path: '/apis/events.k8s.io/v1/events', headers })
    expect(json.message).toBe(
      'you requested PartialObjectMetadata, but the requested object is a list (*core.EventList)',
    )
  })
})

test('a limit does not change the list of one object at any available version', async () => {
  const named = '/api/v1/namespaces?limit=1&fieldSelector=metadata.name%3Ddefault&resourceVersion='
  const { json } = await sendRequest(server, { path: `${named}999999999` })
  expect([json.code, json.details.retryAfterSeconds]).toEqual([504, undefined])
  expect((await sendRequest(server, { path: `${named}1` })).json.items).toHaveLength(1)
})

test.each([
  [
    '/api',
    '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  [
    '/apis',
    'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  [
    '/apis/apps',
    'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
])('the 406 message of %s', async (path, message) => {
  const { status, json } = await sendRequest(server, { path, headers: { accept: 'text/html' } })
  expect([status, json.message]).toEqual([406, message])
})

describe('a forged continue token', () => {
  const path = (token: string) =>
    `/api/v1/secrets?limit=1&continue=${btoa(token).replaceAll('=', '')}`
  const messageOf = async (token: string) => {
    const { status, json } = await sendRequest(server, { path: path(token) })
    return [status, json.message]
  }
  const wrong = (why: string) => [400, `invalid continue token: continue key is not valid: ${why}`]
  const token = (rest: Record<string, unknown>) =>
    JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start: 'a/b', ...rest })

  it.each(['./a', 'a/./b', 'a//b', 'a/', 'a/../b', '..'])(
    'rejects path elements: %s',
    async (start) => {
      expect(await messageOf(token({ start }))).toEqual(wrong(start))
    },
  )

  it.each([
    [{ v: 1 }, 'json: cannot unmarshal number into Go struct field continueToken.v of type string'],
    [
      { start: true },
      'json: cannot unmarshal bool into Go struct field continueToken.start of type string',
    ],
    [
      { rv: '7' },
      'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
    ],
    [
      { rv: 7.5 },
      'json: cannot unmarshal number 7.5 into Go struct field continueToken.rv of type int64',
    ],
    [{ rv: null }, 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
  ])('rejects fields of the wrong type: %j', async (rest, why) => {
    expect(await messageOf(token(rest))).toEqual(wrong(why))
  })

  it('is accepted otherwise', async () => {
    for (const start of ['/', 'a', 'a/b\u0000'])
      expect((await sendRequest(server, { path: path(token({ start })) })).status).toBe(200)
  })
})

describe('a GET of an object or subresource', () => {
  const message = async (path: string) => {
    const { status, json } = await sendRequest(server, { path })
    return [status, json.message]
  }
  const NODE = '/api/v1/nodes/absent'

  it.each([
    NODE,
    `${NODE}/status`,
    '/apis/apps/v1/namespaces/default/deployments/absent/scale',
    '/api/v1/componentstatuses/etcd-0',
  ])('rejects the removed parameter export: %s', async (path) => {
    expect(await message(`${path}?export=1`)).toEqual([
      400,
      'the export parameter, deprecated since v1.14, is no longer supported',
    ])
    expect((await message(`${path}?export=0`))[0]).not.toBe(400)
  })

  it.each([NODE, `${NODE}/status`])('checks resourceVersion: %s', async (path) => {
    const range = 'strconv.ParseUint: parsing "18446744073709551616": value out of range'
    expect(await message(`${path}?resourceVersion=18446744073709551616`)).toEqual([
      500,
      `resourceVersion: Invalid value: "18446744073709551616": ${range}`,
    ])
    const { status, json } = await sendPatiently(`${path}?resourceVersion=18446744073709551615`)
    expect([status, json.message]).toEqual([
      504,
      expect.stringMatching(/^Timeout: Too large resource version: 18446744073709551615, /),
    ])
  })

  it('returns 404 for a Scale of a missing object before parsing the query', async () => {
    const path = '/apis/apps/v1/namespaces/default/replicasets/absent/scale?resourceVersion=x'
    expect(await message(path)).toEqual([404, 'replicasets/scale.apps "absent" not found'])
  })
})

test('a watch as PartialObjectMetadataList ends at the first event', async () => {
  const own = testServer()
  const accept = AS_LIST
  await sendRequest(own, {
    method: 'POST',
    path: `${DEFAULT}/configmaps`,
    body: { metadata: { name: 'a' } },
  })
  const watched = sendRequest(own, {
    path: `${DEFAULT}/configmaps?watch=1&fieldSelector=metadata.name=b`,
    headers: { accept },
  })
  const initial = sendRequest(own, { path: `${DEFAULT}/configmaps?watch=1`, headers: { accept } })
  expect(await initial).toMatchObject({ status: 200, text: '' })
  await sendRequest(own, {
    method: 'POST',
    path: `${DEFAULT}/configmaps`,
    body: { metadata: { name: 'b' } },
  })
  expect(await watched).toMatchObject({ status: 200, text: '' })
})

test('rejects one object as a list, with another error for custom resources', async () => {
  const clock = new SimulatedClock()
  const own = testServer({ clock })
  expect(
    (await sendRequest(own, { method: 'POST', path: DEFINITIONS, body: gadgets })).status,
  ).toBe(201)
  // The kind is served only after some time.
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(10_000)
  const GADGETS = '/apis/example.com/v1/namespaces/default/gadgets'
  expect(
    (
      await sendRequest(own, {
        method: 'POST',
        path: GADGETS,
        body: { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'a' } },
      })
    ).status,
  ).toBe(201)
  const asList = async (path: string) =>
    (await sendRequest(own, { path, headers: { accept: AS_LIST } })).json
  expect(await asList(`${GADGETS}/a`)).toMatchObject({
    code: 500,
    message: 'content is not a list',
  })
  expect(await asList('/api/v1/namespaces/default')).toMatchObject({
    code: 406,
    message:
      'you requested PartialObjectMetadataList, but the requested object is not a list (*core.Namespace)',
  })
})
