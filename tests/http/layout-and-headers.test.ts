/** Indentation of responses, and headers for browsers and caches. */
import { expect, test } from 'vitest'
import { sendRequest as sendToServer, TOKENS, testServer } from '../support/server'
import { testClient } from './test-client'

const sendRequest = testClient()
const indented = (text: string): boolean => text.startsWith('{\n  "')

test('indents a response by media type, query or user agent', async () => {
  const get = (query: string, headers: Record<string, string> = {}) =>
    sendRequest(`/api/v1/namespaces/default${query}`, { headers })
  expect(indented((await get('', { accept: 'application/json;pretty=1' })).text)).toBe(true)
  expect(indented((await get('', { accept: 'application/json;pretty=true' })).text)).toBe(false)
  expect(
    indented(
      (
        await sendRequest('/api/v1/namespaces', {
          headers: { accept: 'application/json;pretty=1' },
        })
      ).text,
    ),
  ).toBe(true)
  expect(indented((await get('?pretty=', { 'user-agent': 'curl/8' })).text)).toBe(true)
  expect(indented((await get('?pretty=0', { 'user-agent': 'curl/8' })).text)).toBe(false)
  const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  expect(
    indented((await sendRequest('/apis?pretty=true', { headers: { accept: aggregated } })).text),
  ).toBe(true)
  expect(
    indented((await sendRequest('/apis', { headers: { accept: `${aggregated};pretty=1` } })).text),
  ).toBe(true)
})

test('indents an error that precedes the resource handler', async () => {
  const server = testServer({ tokens: TOKENS })
  const pods = '/api/v1/namespaces/default/pods'
  expect(
    indented((await sendToServer(server, { path: `${pods}?pretty=true`, token: 'alice' })).text),
  ).toBe(true)
  expect(
    indented((await sendToServer(server, { path: `${pods}?pretty=1`, token: 'unknown' })).text),
  ).toBe(true)
  expect(indented((await sendToServer(server, { path: pods, token: 'alice' })).text)).toBe(false)
})

test('sends nosniff with plain text and 403 responses', async () => {
  const server = testServer({ tokens: TOKENS })
  for (const [path, token] of [
    ['/nowhere', 'admin'],
    ['/api/v1/watch', 'admin'],
    ['/healthz', 'admin'],
    ['/api/v1/pods', 'alice'],
  ] as const) {
    expect(
      (await sendToServer(server, { path, token })).headers.get('x-content-type-options'),
      path,
    ).toBe('nosniff')
  }
  expect(
    (await sendToServer(server, { path: '/api/v1/pods' })).headers.get('x-content-type-options'),
  ).toBe(null)
})

test('aggregated discovery is cacheable, and documents with a hash for a year', async () => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  expect((await sendRequest('/apis', { headers: { accept } })).headers.get('cache-control')).toBe(
    'public',
  )
  expect((await sendRequest('/apis')).headers.get('cache-control')).toBe('no-cache, private')
  const { paths } = (await sendRequest('/openapi/v3')).text.startsWith('{')
    ? JSON.parse((await sendRequest('/openapi/v3')).text)
    : { paths: {} }
  const address = paths['apis/apps/v1'].serverRelativeURL as string
  const kept = await sendRequest(address)
  expect(kept.headers.get('cache-control')).toBe('public, immutable')
  const expires = kept.headers.get('expires') ?? ''
  expect(expires).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d UTC$/)
  const moved = await sendRequest('/openapi/v3/apis/apps/v1?hash=OLD')
  expect([moved.status, moved.headers.get('location'), moved.text]).toEqual([301, address, ''])
  expect(moved.headers.get('content-type')).toBe('application/json')
  expect(moved.headers.get('vary')).toBe('Accept')
  expect(
    (await sendRequest('/openapi/v3/apis/apps/v1?hash=OLD', { headers: { accept: 'text/html' } }))
      .status,
  ).toBe(406)
})

test('escapes HTML characters in OpenAPI 3.0 as in all JSON', async () => {
  const { text } = await sendRequest('/openapi/v3/api/v1')
  expect(text).not.toMatch(/[<>&]/)
  expect(text).toContain('\\u003c')
})

test('generates an ID for an empty Audit-ID', async () => {
  expect(
    (await sendRequest('/version', { headers: { 'audit-id': '' } })).headers.get('audit-id'),
  ).toMatch(/^[0-9a-f-]{36}$/)
  expect(
    (await sendRequest('/version', { headers: { 'audit-id': 'mine' } })).headers.get('audit-id'),
  ).toBe('mine')
})

test('returns aggregated discovery for */*, and 406 for /apis/ with a slash', async () => {
  const wanted = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const any = await sendRequest('/apis', { headers: { accept: `*/*;${wanted}` } })
  expect([any.status, any.headers.get('content-type')]).toEqual([200, `application/json;${wanted}`])
  expect(
    (await sendRequest('/apis/', { headers: { accept: `application/json;${wanted}` } })).status,
  ).toBe(406)
  expect(
    (await sendRequest('/api/', { headers: { accept: `application/json;${wanted}` } })).status,
  ).toBe(200)
})

test('returns 405 for a POST to the group of the aggregator only', async () => {
  expect(
    (await sendRequest('/apis/apiregistration.k8s.io', { method: 'POST', body: {} })).status,
  ).toBe(405)
  expect(
    (await sendRequest('/apis/apiextensions.k8s.io', { method: 'POST', body: {} })).json.kind,
  ).toBe('APIGroup')
  const { json } = await sendRequest('/apis/apiregistration.k8s.io', {
    headers: { accept: 'text/html' },
  })
  expect(json.message).toMatch(/^406: Not Acceptable/)
})
