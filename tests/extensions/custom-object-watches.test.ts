import { beforeEach, describe, expect, test } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { type SendRequest, testClient } from '../http/test-client'
import { DEFINITIONS, define, definition, settled, WIDGETS, widget } from './widgets'

let sendRequest: SendRequest
let clock: SimulatedClock
beforeEach(() => {
  clock = new SimulatedClock()
  sendRequest = testClient({ clock })
})

describe('watches of custom resources', () => {
  const watched = async (selection = '') => {
    const response = sendRequest(`${WIDGETS}?watch=1&timeoutSeconds=60${selection}`)
    let text: string | undefined
    response.then((given) => {
      text = given.text
    })
    await settled()
    return () => text
  }
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds)
    await settled()
  }

  test('end shortly after the definition changes, and not before', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    await sendRequest(WIDGETS, { method: 'POST', body: widget('one') })
    const text = await watched()
    const headers = { 'content-type': 'application/merge-patch+json' }
    const change = (body: Record<string, unknown>) =>
      sendRequest(`${DEFINITIONS}/widgets.example.com`, { method: 'PATCH', headers, body })
    await change({ metadata: { labels: { a: 'b' } } })
    await pass(1000)
    expect(text()).toBeUndefined()
    await change({ spec: { names: { categories: ['all'] } } })
    await pass(999)
    expect(text()).toBeUndefined()
    await pass(1)
    expect(text()).toContain('"type":"ADDED"')
  })

  test.each(['', '&labelSelector=a%3Db'])(
    'get no events of a version that was added later, and no write fails: %j',
    async (selection) => {
      const described = definition('widgets', 'Widget') as {
        spec: { versions: { name: string; storage: boolean }[] }
      }
      await define(sendRequest, described)
      const [v1] = described.spec.versions
      const text = await watched(selection)
      const headers = { 'content-type': 'application/merge-patch+json' }
      const versions = [
        { ...v1, storage: false },
        { ...v1, name: 'v2' },
      ]
      await sendRequest(`${DEFINITIONS}/widgets.example.com`, {
        method: 'PATCH',
        headers,
        body: { spec: { versions } },
      })
      await settled()
      for (const version of ['v2', 'v1']) {
        const body = widget(`by-${version}`, {
          apiVersion: `example.com/${version}`,
          metadata: { name: `by-${version}`, labels: { a: 'b' } },
        })
        const made = await sendRequest(WIDGETS.replace('v1', version), { method: 'POST', body })
        expect([made.status, made.json]).toMatchObject([
          201,
          { apiVersion: `example.com/${version}` },
        ])
      }
      await pass(1000)
      expect(text()).toBe('')
      expect((await sendRequest(WIDGETS)).json.items).toHaveLength(2)
    },
  )

  test('send DELETED for every object before they end with their definition', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    await sendRequest(WIDGETS, { method: 'POST', body: widget('one') })
    const text = await watched()
    await sendRequest(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    await pass(1000)
    expect(text()).toContain('"type":"DELETED"')
  })
})

test('an update that ends an object shows members that only the version of the request has', async () => {
  const open = { 'x-kubernetes-preserve-unknown-fields': true }
  const version = (name: string, spec: object) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  })
  const size = { type: 'object', properties: { size: { type: 'integer' } } }
  await define(
    sendRequest,
    definition('widgets', 'Widget', {
      versions: [version('v1', size), version('v2', { ...size, ...open })],
    }),
  )
  const v2 = WIDGETS.replace('/v1/', '/v2/')
  const body = widget('one', { apiVersion: 'example.com/v2', spec: { size: 1, more: 2 } })
  const held = { ...body, metadata: { name: 'one', finalizers: ['example.com/held'] } }
  const created = await sendRequest(v2, { method: 'POST', body: held })
  expect(created.json.spec).toEqual({ size: 1 })
  await sendRequest(`${v2}/one`, { method: 'DELETE' })
  const headers = { 'content-type': 'application/merge-patch+json' }
  const end = { metadata: { finalizers: null }, spec: { more: 3 } }
  const ended = await sendRequest(`${v2}/one`, { method: 'PATCH', headers, body: end })
  expect([ended.status, ended.json.spec]).toEqual([200, { size: 1, more: 3 }])
  expect((await sendRequest(`${v2}/one`)).status).toBe(404)
})

test('`additionalProperties: false` forbids what is not named, and keeps it until then', async () => {
  const schema = (spec: object) => ({
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  })
  const closed = { type: 'object', additionalProperties: false }
  await define(sendRequest, definition('widgets', 'Widget', {}, schema(closed)))
  const create = (spec: object) =>
    sendRequest(WIDGETS, { method: 'POST', body: widget('one', { spec }) })
  expect((await create({ b: 1, a: {} })).json.message).toBe(
    'Widget.example.com "one" is invalid: [spec: Invalid value: "a": spec.a in body is a forbidden property, spec: Invalid value: "b": spec.b in body is a forbidden property]',
  )
  expect((await create({})).status).toBe(201)
})
