/** How often a conversion webhook is called, and with what: its author sees it in logs and metrics. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Outbound } from '../../src/engine/core/outbound'
import type { ApiServer } from '../../src/engine/server/server'
import { sendRequest, testServer } from '../support/server'

const widgets = (version: string, name = '') =>
  `/apis/example.com/${version}/namespaces/default/widgets${name === '' ? '' : `/${name}`}`
const version = (name: string, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  selectableFields: [],
  ...more,
})

interface Review {
  kind: string
  apiVersion: string
  request: {
    uid: string
    desiredAPIVersion: string
    objects: { apiVersion: string; metadata: { name: string } }[]
  }
}

let server: ApiServer
/** `a to v2`, one an object; several objects in one call are joined. */
let calls: string[]
const outbound: Outbound = {
  async post({ body }) {
    const { kind, apiVersion, request } = JSON.parse(body) as Review
    const target = request.desiredAPIVersion
    calls.push(
      request.objects
        .map(({ metadata }) => `${metadata.name} to ${target.split('/')[1]}`)
        .join(', '),
    )
    // As over a network: other requests come between.
    await new Promise((resolve) => setTimeout(resolve, 2))
    const convertedObjects = request.objects.map((object) => ({ ...object, apiVersion: target }))
    const response = { uid: request.uid, result: { status: 'Success' }, convertedObjects }
    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ kind, apiVersion, response }),
    }
  },
}

/** Runs a request and returns the calls that it caused, those for watches too. */
async function callsOf(requested: Parameters<typeof sendRequest>[1]): Promise<string[]> {
  calls = []
  const { status } = await sendRequest(server, requested)
  expect(status).toBeLessThan(300)
  await new Promise((resolve) => setTimeout(resolve, 20))
  return calls
}

const body = (served: string, name: string, size = 1) => ({
  apiVersion: `example.com/${served}`,
  kind: 'Widget',
  metadata: { name },
  spec: { size },
})
const create = (served: string, name: string) =>
  callsOf({ method: 'POST', path: widgets(served), body: body(served, name) })

beforeEach(async () => {
  server = testServer({ outbound })
  const webhook = {
    clientConfig: { url: 'https://hooks.example.com/convert' },
    conversionReviewVersions: ['v1'],
  }
  const spec = {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [version('v1'), version('v2')],
    conversion: { strategy: 'Webhook', webhook },
  }
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const { status } = await sendRequest(server, {
    method: 'POST',
    path,
    body: { metadata: { name: 'widgets.example.com' }, spec },
  })
  expect(status).toBe(201)
  await new Promise((resolve) => setTimeout(resolve, 5))
})
afterEach(() => server.close())

describe('without watches', () => {
  it('a create calls once for the store, once for the response, and once for the watch cache of the version that is not stored', async () => {
    expect((await create('v2', 'a')).sort()).toEqual(['a to v1', 'a to v2', 'a to v2'])
    expect(await create('v1', 'b')).toEqual(['b to v2'])
  })

  it('a patch through the version that is not stored makes four calls', async () => {
    await create('v2', 'a')
    const headers = { 'content-type': 'application/merge-patch+json' }
    const calls = await callsOf({
      method: 'PATCH',
      path: widgets('v2', 'a'),
      headers,
      body: { spec: { size: 2 } },
    })
    expect(calls.sort()).toEqual(['a to v1', 'a to v1', 'a to v2', 'a to v2'])
  })

  it('a delete through the version that is stored makes one', async () => {
    await create('v1', 'a')
    expect(await callsOf({ method: 'DELETE', path: widgets('v1', 'a') })).toEqual(['a to v2'])
  })

  it('a get calls once, every time', async () => {
    await create('v1', 'a')
    for (let read = 0; read < 2; read++)
      expect(await callsOf({ path: widgets('v2', 'a') })).toEqual(['a to v2'])
  })

  it('a list calls once for each object, with one object', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `w${String(i).padStart(2, '0')}`)
    for (const name of names) await create('v1', name)
    expect(await callsOf({ path: widgets('v2') })).toEqual(names.map((name) => `${name} to v2`))
    expect(await callsOf({ path: `${widgets('v2')}?limit=3` })).toEqual(
      names.slice(0, 3).map((name) => `${name} to v2`),
    )
    expect(await callsOf({ path: widgets('v1') })).toEqual([])
  })
})

describe('with watches', () => {
  const closes: (() => void)[] = []
  afterEach(() => {
    for (const close of closes.splice(0)) close()
  })

  async function watch(served: string): Promise<void> {
    const controller = new AbortController()
    closes.push(() => controller.abort())
    const url = `http://localhost${widgets(served)}?watch=true`
    const init = { headers: { authorization: 'Bearer admin' }, signal: controller.signal }
    await server.fetch(new Request(url, init))
  }

  it('all watches of a version share one call per event, in addition to those of the request', async () => {
    await watch('v2')
    await watch('v2')
    await watch('v2')
    await watch('v1')
    expect((await create('v2', 'a')).sort()).toEqual(['a to v1', 'a to v2', 'a to v2'])
    expect(await create('v1', 'b')).toEqual(['b to v2'])
  })

  const patched = (name: string) =>
    callsOf({
      method: 'PATCH',
      path: widgets('v2', name),
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { size: 2 } },
    })

  it('a patch through the version that is not stored makes four calls, whatever the number of watches', async () => {
    for (const served of ['v1', 'v2', 'v2', 'v2']) await watch(served)
    await create('v2', 'a')
    expect((await patched('a')).sort()).toEqual(['a to v1', 'a to v1', 'a to v2', 'a to v2'])
  })

  it('a patch makes three more where fields are managed in the other version', async () => {
    for (const served of ['v1', 'v2', 'v2']) await watch(served)
    await create('v1', 'a')
    expect((await patched('a')).sort()).toEqual([...Array(5).fill('a to v1'), 'a to v2', 'a to v2'])
  })
})
