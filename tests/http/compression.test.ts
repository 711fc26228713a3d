import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { askedServer } from './asking'

const pack = async (bytes: Uint8Array): Promise<Uint8Array> => gzipSync(bytes)
const LARGE = { metadata: { name: 'large' }, data: { a: 'x'.repeat(140_000) } }
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

async function encodingOf(
  acceptEncoding: string,
  options: Parameters<typeof askedServer>[0] = { compress: pack },
): Promise<string | null> {
  const ask = askedServer(options)
  await ask('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'default' } } })
  expect((await ask(CONFIG_MAPS, { method: 'POST', body: LARGE })).status).toBe(201)
  const { headers } = await ask(`${CONFIG_MAPS}/large`, {
    headers: { 'accept-encoding': acceptEncoding },
  })
  return headers.get('content-encoding')
}

test('large answers are packed for those who name gzip without conditions', async () => {
  expect(await encodingOf('deflate, gzip')).toBe('gzip')
  expect(await encodingOf('gzip;q=1.0, *')).toBeNull()
  expect(await encodingOf('identity')).toBeNull()
})

test('not where the host cannot, nor where the feature is off', async () => {
  expect(await encodingOf('gzip', {})).toBeNull()
  expect(
    await encodingOf('gzip', { compress: pack, featureGates: { APIResponseCompression: false } }),
  ).toBeNull()
})
