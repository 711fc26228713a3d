/** Lists of more items than a call can take as arguments: each is checked or rejected, none overflows the stack. */
import { expect, it } from 'vitest'
import { append } from '../../src/engine/core/lists'
import { sendRequest, testServer } from '../support/server'

const ITEMS = 150_000
const items = <Item>(item: Item): Item[] => Array.from({ length: ITEMS }, () => item)

it('has more items than a call can take', () => {
  expect(() => [].push(...(items(0) as never[]))).toThrow(RangeError)
  const list = [1]
  append(list, items(0), [2])
  expect([list.length, list[0], list.at(-1)]).toEqual([ITEMS + 2, 1, 2])
})

const meta = { metadata: { name: 'long' } }
const containers = [{ name: 'c', image: 'i' }]

it.each<[string, string, object]>([
  [
    'imagePullSecrets',
    '/api/v1/namespaces/default/pods',
    { kind: 'Pod', ...meta, spec: { containers, imagePullSecrets: items({}) } },
  ],
  [
    'tolerations',
    '/api/v1/namespaces/default/pods',
    { kind: 'Pod', ...meta, spec: { containers, tolerations: items({}) } },
  ],
  [
    'scopes',
    '/api/v1/namespaces/default/resourcequotas',
    { kind: 'ResourceQuota', ...meta, spec: { scopes: items('') } },
  ],
  [
    'limits',
    '/api/v1/namespaces/default/limitranges',
    { kind: 'LimitRange', ...meta, spec: { limits: items({}) } },
  ],
  [
    'subsets',
    '/api/v1/namespaces/default/endpoints',
    { kind: 'Endpoints', ...meta, subsets: items({}) },
  ],
])('checks %s', { timeout: 120_000 }, async (_, path, body) => {
  const server = testServer({ disableAdmissionPlugins: ['ServiceAccount'] })
  const { status, json } = await sendRequest(server, {
    method: 'POST',
    path,
    body: { apiVersion: 'v1', ...body },
  })
  expect({ status, message: String(json.message ?? '').slice(0, 80) }).not.toMatchObject({
    message: expect.stringContaining('Internal error'),
  })
  expect([201, 422, 500]).toContain(status)
  // Those that are taken may be too large to be stored.
  if (status === 500) expect(json.message).toBe('etcdserver: request is too large')
})
