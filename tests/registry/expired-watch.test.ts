/**
 * A watch from a compacted revision gets one ERROR event and ends (kubernetes.io, "410 Gone
 * responses").
 */
import { expect, it } from 'vitest'
import { createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'

it('returns 200 with one ERROR event of code 410 and ends', async () => {
  const storage = createMemoryStorage()
  const server = createApiServer({
    release: TEST_RELEASE,
    clock: { now: () => 0, after: () => () => undefined },
    random: { bytes: (into) => into.fill(7) },
    log: { error: (message, cause) => expect.unreachable(`${message}: ${cause}`) },
    storage,
    tokens: 'token,admin,u,"system:masters"',
  })
  const get = (path: string) =>
    server.fetch(
      new Request(`http://server${path}`, { headers: { authorization: 'Bearer token' } }),
    )
  const list = (await (await get('/api/v1/namespaces')).json()) as {
    metadata: { resourceVersion: string }
  }
  await storage.compact(storage.currentRevision())

  const response = await get('/api/v1/namespaces?watch=1&resourceVersion=2')
  expect(response.status).toBe(200)
  const events = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; object: { code: number } })
  expect(events.map(({ type, object }) => [type, object.code])).toEqual([['ERROR', 410]])
  expect(Number(list.metadata.resourceVersion)).toBeGreaterThan(2)
  await server.close()
})
