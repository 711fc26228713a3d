import { expect, test } from 'vitest'
import { testClient } from './test-client'

const sendRequest = testClient()
const status = async (method: string, target: string): Promise<number> =>
  (await sendRequest(target, { method })).status

test.each([
  ['PUT', '/api/v1/namespaces/a/configmaps'],
  ['PATCH', '/api/v1/namespaces/a/configmaps'],
  ['POST', '/api/v1/namespaces/a/configmaps/x'],
  ['POST', '/api/v1/configmaps'],
  ['DELETE', '/api/v1/pods'],
  ['DELETE', '/api/v1/namespaces'],
  ['HEAD', '/api/v1/namespaces'],
  ['OPTIONS', '/apis/apps/v1/deployments'],
  ['GET', '/apis/authentication.k8s.io/v1/tokenreviews'],
  ['POST', '/api/v1/watch/namespaces/a/configmaps'],
  ['GET', '/api/v1/namespaces/a/pods/x/eviction'],
])('%s %s: returns 405', async (method, target) => {
  expect(await status(method, target)).toBe(405)
})

test.each([
  ['GET', '/api/v1/configmaps/x'],
  ['PATCH', '/api/v1/configmaps/x'],
  ['POST', '/apis/authorization.k8s.io/v1/localsubjectaccessreviews'],
  ['GET', '/apis/authentication.k8s.io/v1/tokenreviews/x'],
  ['GET', '/api/v1/namespaces/a/namespaces'],
  ['GET', '/api/v1/namespaces/a/nodes'],
  ['GET', '/api/v1/namespaces/a/configmaps/x/status'],
  ['GET', '/api/v1/namespaces/a/pods/x/y/z'],
  ['GET', '/api/v1/proxy/namespaces/a/pods/x'],
  ['FROB', '/api/v1/namespaces/a/nosuch'],
])('%s %s: returns 404 for any method', async (method, target) => {
  const { status: code, json } = await sendRequest(target, { method })
  expect([code, json.details]).toEqual([404, {}])
})

test('returns a plain-text 404 for unknown groups and leading double slashes', async () => {
  for (const target of [
    '/apis/nosuch/v1',
    '/apis//v1',
    '/apis//apps/v1',
    '//api/v1/pods',
    '/apis/constructor/v1/x',
  ]) {
    expect((await sendRequest(target)).text).toBe('404 page not found\n')
  }
})

test('returns 500 for a watch path without a resource', async () => {
  const { status: code, text } = await sendRequest('/api/v1/watch?x=1')
  expect(code).toBe(500)
  expect(text).toBe(
    'Internal Server Error: "/api/v1/watch?x=1": failed to create RequestInfo: unable to determine kind and namespace from url, /api/v1/watch?x=1\n',
  )
})

test('empty segments: a list accepts an empty namespace, an object does not', async () => {
  expect(await status('GET', '/api/v1/namespaces//pods')).toBe(200)
  expect((await sendRequest('/api/v1/namespaces//pods/x')).json.message).toBe(
    'Namespace parameter required.',
  )
  expect((await sendRequest('/api/v1/namespaces/a/pods//status')).json.message).toBe(
    'name must be provided',
  )
})

test('rejects names that cannot be a segment of a storage key', async () => {
  expect((await sendRequest('/api/v1/namespaces/a/configmaps/100%25')).json.message).toBe(
    `Name parameter invalid: "100%": may not contain '%'`,
  )
  expect((await sendRequest('/api/v1/namespaces/a/configmaps/..')).json.message).toBe(
    `Name parameter invalid: "..": may not be '..'`,
  )
})
