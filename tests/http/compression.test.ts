import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { testServer } from '../support/server'
import { testClient } from './test-client'

const pack = async (bytes: Uint8Array): Promise<Uint8Array> => gzipSync(bytes)
const LARGE = { metadata: { name: 'large' }, data: { a: 'x'.repeat(140_000) } }
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

async function encodingOf(
  acceptEncoding: string,
  options: Parameters<typeof testClient>[0] = { compress: pack },
): Promise<string | null> {
  const sendRequest = testClient(options)
  await sendRequest('/api/v1/namespaces', {
    method: 'POST',
    body: { metadata: { name: 'default' } },
  })
  expect((await sendRequest(CONFIG_MAPS, { method: 'POST', body: LARGE })).status).toBe(201)
  const { headers } = await sendRequest(`${CONFIG_MAPS}/large`, {
    headers: { 'accept-encoding': acceptEncoding },
  })
  return headers.get('content-encoding')
}

test('large responses are compressed for clients that accept gzip without parameters', async () => {
  expect(await encodingOf('deflate, gzip')).toBe('gzip')
  expect(await encodingOf('gzip;q=1.0, *')).toBeNull()
  expect(await encodingOf('identity')).toBeNull()
})

test('does not compress without host support or with the feature off', async () => {
  expect(await encodingOf('gzip', {})).toBeNull()
  expect(
    await encodingOf('gzip', { compress: pack, featureGates: { APIResponseCompression: false } }),
  ).toBeNull()
})

describe('a list as a watch', () => {
  const QUERY = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'

  async function watched(release: string, query: string, gate = true): Promise<string> {
    await loadTables(release)
    const server = testServer({
      release,
      compress: pack,
      ...(release === '1.37' ? { featureGates: { WatchListCompression: gate } } : {}),
    })
    const { headers, body } = await server.fetch(
      new Request(`http://localhost/api/v1/namespaces?${query}`, {
        headers: { authorization: 'Bearer admin', 'accept-encoding': 'gzip' },
      }),
    )
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    const bytes = (await reader.read()).value ?? new Uint8Array()
    await reader.cancel()
    await server.close()
    const encoding = headers.get('content-encoding')
    const text = (encoding === 'gzip' ? gunzipSync(bytes) : Buffer.from(bytes)).toString()
    expect(text).toMatch(/^\{"type":"ADDED"/)
    return `${encoding} ${headers.get('vary')}`
  }

  const BOOKMARKS = `${QUERY}&allowWatchBookmarks=true`

  it.each([
    ['1.37', BOOKMARKS, true, 'gzip Accept-Encoding'],
    ['1.37', BOOKMARKS, false, 'null null'],
    ['1.37', 'watch=1&resourceVersion=0', true, 'null null'],
    ['1.35', BOOKMARKS, true, 'null null'],
  ])('of %s with %s, gate %s: %s', async (release, query, gate, expected) => {
    expect(await watched(release, query, gate)).toBe(expected)
  })
})
