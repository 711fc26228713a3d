import { describe, expect, it } from 'vitest'
import { LiveObjects } from '../../src/engine/storage/live-objects'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Storage, WatchSink } from '../../src/engine/storage/storage'

const PREFIX = '/registry/things/'

async function put(storage: Storage, name: string, value: string): Promise<void> {
  const key = PREFIX + name
  const revision = (await storage.get(key))?.revision ?? 0
  const object = { kind: 'Thing', apiVersion: 'v1', metadata: { name, resourceVersion: '' }, value }
  await storage.transaction([{ key, revision }], [{ type: 'put', key, object }])
}

const values = (storage: Storage) =>
  new LiveObjects(storage, PREFIX, ({ value }) => value as string)

describe('live objects', () => {
  it('are loaded once, then returned synchronously', async () => {
    const storage = createMemoryStorage()
    await put(storage, 'b', '2')
    await put(storage, 'a', '1')
    const live = values(storage)
    expect(await live.all()).toEqual(['1', '2'])
    expect(live.all()).toEqual(['1', '2'])
  })

  it('follow the store', async () => {
    const storage = createMemoryStorage()
    const live = values(storage)
    await live.all()
    await put(storage, 'a', '1')
    await put(storage, 'b', '2')
    await put(storage, 'a', '3')
    expect(live.all()).toEqual(['3', '2'])
    const b = await storage.get(`${PREFIX}b`)
    await storage.transaction(
      [{ key: `${PREFIX}b`, revision: b?.revision ?? 0 }],
      [{ type: 'delete', key: `${PREFIX}b` }],
    )
    expect(live.all()).toEqual(['3'])
  })

  it('are loaded again after the watch ended or a read failed', async () => {
    const storage = createMemoryStorage()
    const sinks: WatchSink[] = []
    let broken = true
    const flaky: Storage = {
      ...storage,
      range: async (prefix) => {
        if (broken) throw new Error('not now')
        return storage.range(prefix)
      },
      watch: (prefix, after, sink) => {
        sinks.push(sink)
        return storage.watch(prefix, after, sink)
      },
    }
    const live = values(flaky)
    await expect(live.all()).rejects.toThrow('not now')
    broken = false
    await put(storage, 'a', '1')
    expect(await live.all()).toEqual(['1'])
    sinks[0]?.end('closed')
    expect(live.all()).toBeInstanceOf(Promise)
    expect(await live.all()).toEqual(['1'])
  })
})
