/**
 * The calls of a conversion webhook for writes of an object whose request version, stored version
 * (v1) and versions of managed fields differ: count, direction, and whether managed fields are
 * sent. The expected calls are those of kube-apiserver 1.31 for the same requests.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Outbound } from '../../src/engine/core/outbound'
import type { ApiServer } from '../../src/engine/server/server'
import { sendRequest, testServer } from '../support/server'

const MERGE = 'application/merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const APPLY = 'application/apply-patch+yaml'

interface Review {
  kind: string
  apiVersion: string
  request: {
    uid: string
    desiredAPIVersion: string
    objects: { apiVersion: string; metadata: { managedFields?: unknown } }[]
  }
}

let server: ApiServer
/** `2-1` converts v2 to v1; an object without managed fields has a `*`. */
let calls: string[]
const outbound: Outbound = {
  async post({ body }) {
    const { kind, apiVersion, request } = JSON.parse(body) as Review
    const { uid, desiredAPIVersion, objects } = request
    for (const object of objects) {
      const mark = object.metadata?.managedFields === undefined ? '*' : ''
      calls.push(`${object.apiVersion.slice(-1)}-${desiredAPIVersion.slice(-1)}${mark}`)
    }
    const convertedObjects = objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion }))
    const response = { uid, result: { status: 'Success' }, convertedObjects }
    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ kind, apiVersion, response }),
    }
  },
}

const path = (version: string, name = '') =>
  `/apis/example.com/${version}/namespaces/default/widgets${name && `/${name}`}`
const body = (version: string, spec: object, metadata: object = {}) => ({
  apiVersion: `example.com/${version}`,
  kind: 'Widget',
  metadata: { name: 'a', ...metadata },
  spec,
})
const settled = () => new Promise((resolve) => setTimeout(resolve, 15))

async function send(
  method: string,
  url: string,
  sent?: unknown,
  type = 'application/json',
): Promise<number> {
  calls = []
  const headers = { 'content-type': type }
  const { status } = await sendRequest(server, { method, path: url, body: sent, headers })
  await settled()
  calls.sort()
  return status
}

beforeEach(async () => {
  server = testServer({ outbound })
  const version = (name: string) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  })
  const webhook = {
    clientConfig: { url: 'https://hooks.example.com/convert' },
    conversionReviewVersions: ['v1'],
  }
  const spec = {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [version('v1'), version('v2'), version('v3')],
    conversion: { strategy: 'Webhook', webhook },
  }
  await sendRequest(server, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: { metadata: { name: 'widgets.example.com' }, spec },
  })
  await settled()
})
afterEach(() => server.close())

/** The results of a write: the response, and the watch caches of the other versions. */
const WRITTEN = { v1: ['1-2', '1-3'], v2: ['1-2', '1-2', '1-3'], v3: ['1-2', '1-3', '1-3'] }
type Version = keyof typeof WRITTEN

/** The conversions of the objects before and after a change, by versions of object and request. */
const COMPARED: Record<Version, Record<Version, string[]>> = {
  v1: { v1: [], v2: ['2-1', '2-1', '2-1*'], v3: ['3-1', '3-1', '3-1*'] },
  v2: { v1: ['1-2', '1-2', '1-2*'], v2: [], v3: ['3-2', '3-2', '3-2*'] },
  v3: { v1: ['1-3', '1-3', '1-3*'], v2: ['2-3', '2-3', '2-3*'], v3: [] },
}
const PAIRS = (['v1', 'v2', 'v3'] as const).flatMap((created) =>
  (['v1', 'v2', 'v3'] as const).map((requested) => [created, requested] as const),
)
/** Of a request through a version that is not stored. */
const unlessStored = (version: Version, list: string[]) => (version === 'v1' ? [] : list)
const number = (version: Version) => version.slice(1)

describe.each(PAIRS)('an object created in %s, through %s', (created, requested) => {
  const compared = COMPARED[created][requested]
  const n = number(requested)
  const encode = unlessStored(requested, [`${n}-1`])
  const decode = unlessStored(requested, [`1-${n}`])
  const expectCalls = (...expected: string[][]) => expect(calls).toEqual(expected.flat().sort())

  beforeEach(async () => {
    expect(await send('POST', `${path(created)}?fieldManager=m1`, body(created, { size: 1 }))).toBe(
      201,
    )
  })

  it.each<[string, unknown]>([
    [MERGE, { spec: { size: 2 } }],
    [JSON_PATCH, [{ op: 'replace', path: '/spec/size', value: 3 }]],
  ])('is patched by %s', async (type, patch) => {
    expect(await send('PATCH', `${path(requested, 'a')}?fieldManager=m2`, patch, type)).toBe(200)
    expectCalls(encode, compared, encode, WRITTEN[requested])
  })

  it('is updated', async () => {
    const { json } = await sendRequest(server, { path: path(requested, 'a') })
    const metadata = {
      resourceVersion: (json.metadata as { resourceVersion: string }).resourceVersion,
    }
    const updated = body(requested, { size: 4 }, metadata)
    expect(await send('PUT', `${path(requested, 'a')}?fieldManager=m3`, updated)).toBe(200)
    expectCalls(encode, compared, encode, WRITTEN[requested])
  })

  it('is patched without a change: the object is read again', async () => {
    const patch = { spec: { size: 1 } }
    expect(await send('PATCH', `${path(requested, 'a')}?fieldManager=m2`, patch, MERGE)).toBe(200)
    expectCalls(encode, compared, encode, decode, decode)
  })

  it.each<[string, unknown, number]>([
    [MERGE, { metadata: { resourceVersion: '1' } }, 409],
    [JSON_PATCH, [{ op: 'test', path: '/spec/size', value: 9 }], 422],
  ])('fails to be patched by %s: the object is read again', async (type, patch, status) => {
    expect(await send('PATCH', path(requested, 'a'), patch, type)).toBe(status)
    expectCalls(encode, status === 409 ? compared : [], decode)
  })

  it('is patched in a dry run: the object is read from the store', async () => {
    const url = `${path(requested, 'a')}?fieldManager=m2&dryRun=All`
    expect(await send('PATCH', url, { spec: { size: 2 } }, MERGE)).toBe(200)
    expectCalls(decode, compared, encode, decode)
  })

  it('is applied to', async () => {
    const url = `${path(requested, 'a')}?fieldManager=a1&force=true`
    expect(await send('PATCH', url, body(requested, { size: 5 }), APPLY)).toBe(200)
    // An apply sends the managed fields with every object.
    expectCalls(
      encode,
      compared.map((call) => call.replace('*', '')),
      encode,
      WRITTEN[requested],
    )
  })

  it('is deleted', async () => {
    expect(await send('DELETE', path(requested, 'a'))).toBe(200)
    expectCalls(decode, encode, WRITTEN[requested])
  })

  it('is marked as deleted while a finalizer holds it, and removed with that', async () => {
    const held = { metadata: { finalizers: ['example.com/x'] } }
    expect(await send('PATCH', `${path(created, 'a')}?fieldManager=m1`, held, MERGE)).toBe(200)
    expect(await send('DELETE', path(requested, 'a'))).toBe(200)
    expectCalls(decode, encode, encode, WRITTEN[requested])
    expect(await send('DELETE', path(requested, 'a'))).toBe(200)
    expectCalls(decode, encode, encode, decode, decode)
    const free = { metadata: { finalizers: null } }
    expect(await send('PATCH', `${path(requested, 'a')}?fieldManager=m2`, free, MERGE)).toBe(200)
    expectCalls(encode, compared, decode, encode, WRITTEN[requested])
  })

  it('exists when it is created', async () => {
    expect(await send('POST', path(requested), body(requested, {}))).toBe(409)
    expectCalls(encode, decode)
  })
})
