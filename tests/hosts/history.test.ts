/** History events that the page receives, and branches from an earlier revision. */
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { BrowserEngine } from '../../src/hosts/shared/browser-engine'
import type { ChannelRequest, ChannelRequests, Timeline } from '../../src/hosts/shared/channel'

let engine: BrowserEngine
let count = 0
afterEach(() => engine.drain())

async function sendRequest<Kind extends keyof ChannelRequests>(
  kind: Kind,
  what: ChannelRequests[Kind]['request'],
): Promise<ChannelRequests[Kind]['response']> {
  const result = await engine.respond({ kind, request: what } as ChannelRequest)
  if (!result.ok) throw new Error(result.message)
  return result.response as ChannelRequests[Kind]['response']
}

async function send(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; data?: Record<string, string> }> {
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }
  const response = await engine.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    }),
    path,
  )
  return { status: response.status, ...(await response.json()) }
}

const MAPS = '/api/v1/namespaces/default/configmaps'

async function withHistory(): Promise<Timeline> {
  engine = new BrowserEngine({ databaseName: `history-${++count}` })
  await sendRequest('configure', { controllers: ['off'], scheduler: false, nodes: 0 })
  await send('POST', MAPS, { metadata: { name: 'a' }, data: { n: '1' } })
  await send('PUT', `${MAPS}/a`, { metadata: { name: 'a' }, data: { n: '2' } })
  await send('DELETE', `${MAPS}/a`)
  return sendRequest('timeline', { after: 0 })
}

test('reports every change, and later only new ones', async () => {
  const { changes, newest } = await withHistory()
  const own = changes.filter(({ kind, name }) => kind === 'ConfigMap' && name === 'a')
  expect(own.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED'])
  expect(own.every(({ at = 0 }) => Math.abs(at - Date.now()) < 5000)).toBe(true)
  expect((await sendRequest('timeline', { after: newest })).changes).toEqual([])
})

test('branches from a revision: the cluster has its earlier state and is writable', async () => {
  const { changes } = await withHistory()
  const then = changes.find(({ type, name }) => type === 'MODIFIED' && name === 'a')?.revision ?? 0
  await sendRequest('import', await sendRequest('moment', { revision: then }))
  expect((await send('GET', `${MAPS}/a`)).data).toEqual({ n: '2' })
  expect((await send('POST', MAPS, { metadata: { name: 'b' } })).status).toBe(201)
})

test('does not branch from a compacted revision', async () => {
  const { newest } = await withHistory()
  await sendRequest('compact', undefined)
  await expect(sendRequest('moment', { revision: newest - 2 })).rejects.toThrow('compacted')
})

test('reports the kinds written since the last query, unless compacted', async () => {
  const { newest } = await withHistory()
  await send('POST', MAPS, { metadata: { name: 'b' } })
  await send('PUT', `${MAPS}/b`, { metadata: { name: 'b' }, data: { n: '2' } })
  const status = await sendRequest('status', { after: newest })
  expect(status.written).toEqual(['ConfigMap'])
  expect((await sendRequest('status', { after: status.revision })).written).toEqual([])
  expect((await sendRequest('status', undefined)).written).toBeUndefined()
  await sendRequest('compact', undefined)
  expect((await sendRequest('status', { after: newest })).written).toBeUndefined()
  expect((await sendRequest('status', { after: status.revision })).written).toEqual([])
})
