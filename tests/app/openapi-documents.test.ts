/** The page keeps an OpenAPI document for as long as the server publishes the same one. */
import { expect, it } from 'vitest'
import { openApiDocuments } from '../../src/app/features/objects/openapi-documents'
import type { JsonObject } from '../../src/engine/core/object'

/** A server whose published documents and failures a test changes, and a clock. */
function published() {
  const hashes: Record<string, string> = { 'apis/example.com/v1': '1' }
  const requests: string[] = []
  const state = { now: 0, broken: false }
  const read = async (path: string): Promise<JsonObject> => {
    requests.push(path)
    if (state.broken) throw new Error('unavailable')
    if (path !== '/openapi/v3') return { address: path }
    const paths = Object.entries(hashes).map(([name, hash]) => [
      name,
      { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` },
    ])
    return { paths: Object.fromEntries(paths) as JsonObject }
  }
  return { hashes, requests, state, documents: openApiDocuments(read, () => state.now) }
}

const V1 = 'example.com/v1'

it('reads a document once while its hash stays', async () => {
  const { requests, state, documents } = published()
  const first = await documents.of(V1)
  state.now += 60_000
  expect(await documents.of(V1)).toBe(first)
  expect(requests).toEqual(['/openapi/v3', '/openapi/v3/apis/example.com/v1?hash=1', '/openapi/v3'])
})

it('reads it again when its hash has changed, and not with every key', async () => {
  const { hashes, requests, state, documents } = published()
  await documents.of(V1)
  hashes['apis/example.com/v1'] = '2'
  expect(await documents.of(V1)).toEqual({ address: '/openapi/v3/apis/example.com/v1?hash=1' })
  expect(requests).toHaveLength(2)
  state.now += 1001
  expect(await documents.of(V1)).toEqual({ address: '/openapi/v3/apis/example.com/v1?hash=2' })
})

it('returns nothing for an unpublished version, whatever its name', async () => {
  const { documents } = published()
  for (const version of ['example.com/v2', 'v1', 'constructor', '__proto__/toString'])
    expect(await documents.of(version)).toBeUndefined()
})

it('tries again after a failure', async () => {
  const { state, documents } = published()
  state.broken = true
  expect(await documents.of(V1)).toBeUndefined()
  state.broken = false
  state.now += 1001
  expect(await documents.of(V1)).toEqual({ address: '/openapi/v3/apis/example.com/v1?hash=1' })
})
