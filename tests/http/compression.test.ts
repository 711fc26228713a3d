import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
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
