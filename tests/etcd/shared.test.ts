/** Several hosts that share one etcd, including failures of etcd and of its connection. */

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasEtcd } from '../../scripts/find-etcd'
import { CompactedError } from '../../src/engine/storage/compacted-error'
import { type Storage, StorageUnavailableError } from '../../src/engine/storage/storage'
import { EtcdClient } from '../../src/hosts/node/etcd/client'
import type { SharedStorage } from '../../src/hosts/node/etcd/followed-versions'
import { openEtcdStorage } from '../../src/hosts/node/etcd/storage'
import { configMap, keyOf, listed, put, putIf, recorder, remove } from '../storage/objects'
import { Etcd } from './etcd'
import { Tap } from './tap'

describe.runIf(hasEtcd())('hosts over one etcd', () => {
  let etcd: Etcd
  let clusters = 0
  const opened: Storage[] = []
  const taps: Tap[] = []
  const errors = vi.fn()

  /** Hosts with the same prefix share a cluster. */
  async function open(prefix: string, url = etcd.url, timeoutMs = 10_000): Promise<SharedStorage> {
    const storage = await openEtcdStorage({
      client: new EtcdClient([url]),
      prefix,
      log: { error: errors },
      timeoutMs,
      freeze: true,
    })
    opened.push(storage)
    return storage
  }

  const freshPrefix = () => `/cluster-${++clusters}`

  async function tapped(
    prefix: string,
    timeoutMs?: number,
  ): Promise<{ storage: SharedStorage; tap: Tap }> {
    const tap = await Tap.open(etcd.url)
    taps.push(tap)
    return { storage: await open(prefix, tap.url, timeoutMs), tap }
  }

  beforeAll(async () => {
    etcd = await Etcd.start()
  })

  afterEach(async () => {
    for (const tap of taps.splice(0)) tap.close()
    await Promise.all(opened.splice(0).map((storage) => storage.close()))
    errors.mockClear()
  })

  afterAll(() => etcd.remove())

  it('replicate: readers and watchers of one see the writes of the other', async () => {
    const prefix = freshPrefix()
    const [one, other] = [await open(prefix), await open(prefix)]
    const seen = recorder()
    other.watch('/registry/', other.currentRevision(), seen)
    await put(one, keyOf('a'), '1')
    await remove(one, keyOf('a'))
    await put(one, keyOf('b'), '1')
    await vi.waitFor(() =>
      expect(seen.reported()).toEqual(['ADDED a=1', 'DELETED a=1', 'ADDED b=1']),
    )
    expect(await listed(other)).toEqual(['b=1'])
    expect(other.currentRevision()).toBe(one.currentRevision())
  })

  it('serve every acknowledged write to consistent reads', async () => {
    const prefix = freshPrefix()
    const [one, other] = [await open(prefix), await open(prefix)]
    for (let i = 0; i < 50; i++) {
      const [writer, reader] = i % 2 ? [one, other] : [other, one]
      await put(writer, keyOf('a'), String(i))
      await reader.readBarrier()
      expect(await listed(reader)).toEqual([`a=${i}`])
    }
  })

  it('never overwrite each other: one of several updates of one revision succeeds', async () => {
    const prefix = freshPrefix()
    const hosts = [await open(prefix), await open(prefix), await open(prefix)]
    const counted = await put(hosts[0] as Storage, keyOf('counter'), '0')
    const won = { count: 0 }
    const increment = async (host: SharedStorage) => {
      for (;;) {
        await host.readBarrier()
        const { object, revision } = (await host.get(keyOf('counter'))) ?? {
          object: configMap('counter', '0'),
          revision: 0,
        }
        const value = Number((object.data as { value: string }).value)
        if ((await putIf(host, keyOf('counter'), revision, String(value + 1))).succeeded)
          return won.count++
      }
    }
    await Promise.all(hosts.flatMap((host) => Array.from({ length: 10 }, () => increment(host))))
    await Promise.all(hosts.map((host) => host.readBarrier()))
    expect([await listed(hosts[1] as Storage), won.count]).toEqual([['counter=30'], 30])
    expect((await hosts[2]?.get(keyOf('counter')))?.createRevision).toBe(counted.revision)
  })

  it('process each request once, at any host', async () => {
    const prefix = freshPrefix()
    const [one, other] = [await open(prefix), await open(prefix)]
    const both = await Promise.all([
      putIf(one, keyOf('x'), 0, '1', 'same'),
      putIf(other, keyOf('y'), 0, '1', 'same'),
    ])
    const names = both.map((result) => result.succeeded && result.stored.map(({ key }) => key))
    expect(names[0]).toEqual(names[1])
    await Promise.all([one.readBarrier(), other.readBarrier()])
    expect(await listed(one)).toHaveLength(1)
  })

  it('isolate clusters under other prefixes', async () => {
    const [one, other] = [await open(freshPrefix()), await open(freshPrefix())]
    await put(one, keyOf('a'), '1')
    await put(one, '/kubetab/key', '1')
    await other.readBarrier()
    expect([await listed(other), await other.get('/kubetab/key')]).toEqual([[], undefined])
    expect(await listed(one)).toEqual(['a=1'])
  })

  it('store objects under the keys of kube-apiserver, as JSON', async () => {
    const prefix = freshPrefix()
    await put(await open(prefix), keyOf('a'), '1')
    const client = new EtcdClient([etcd.url])
    const { items } = await client.range({ key: `${prefix}/configmaps/default/a` })
    expect(items.map(({ value }) => JSON.parse(new TextDecoder().decode(value)))).toEqual([
      configMap('a', '1'),
    ])
    client.close()
  })

  it('skip values that are not API objects, and report them', async () => {
    const prefix = freshPrefix()
    const storage = await open(prefix)
    const client = new EtcdClient([etcd.url])
    await client.transaction({
      compare: [],
      success: [{ type: 'put', key: `${prefix}/pods/a/b`, value: 'k8s\0…' }],
      failure: [],
    })
    await put(storage, keyOf('a'), '1')
    expect(await listed(storage)).toEqual(['a=1'])
    expect(errors.mock.calls.map(([message]) => message)).toEqual([
      `${prefix}/pods/a/b in etcd is not an object of this server and is ignored`,
    ])
    client.close()
  })

  describe('that start later', () => {
    it('load the history, so that watches from other hosts resume', async () => {
      const prefix = freshPrefix()
      const one = await open(prefix)
      const { revision } = await put(one, keyOf('a'), '1')
      await put(one, keyOf('a'), '2')
      await remove(one, keyOf('a'))
      const late = await open(prefix)
      const seen = recorder()
      late.watch('/registry/', revision, seen)
      expect(seen.reported()).toEqual(['MODIFIED a=2', 'DELETED a=2'])
      expect(await listed(late, '/registry/', revision)).toEqual(['a=1'])
    })

    it('read revisions older than their cache from etcd', async () => {
      const prefix = freshPrefix()
      const one = await open(prefix)
      for (const name of ['a', 'b', 'c']) await put(one, keyOf(name), '1')
      const revision = one.currentRevision()
      await put(one, keyOf('b'), '2')
      const late = await open(prefix)
      // The host compacts its own history. etcd does not.
      Object.assign(late, { compacted: late.currentRevision() })
      const page = await late.range('/registry/configmaps/', {
        revision,
        limit: 1,
        after: keyOf('a'),
      })
      expect([page.items.map(({ key }) => key), page.remaining]).toEqual([[keyOf('b')], 1])
      expect((await late.get(keyOf('b'), { revision }))?.object.data).toEqual({ value: '1' })
      await one.compact(one.currentRevision())
      await expect(late.range('/registry/', { revision })).rejects.toThrow(CompactedError)
    })
  })

  it('compact once an interval, at whichever host is first', async () => {
    const prefix = freshPrefix()
    const [one, other] = [await open(prefix), await open(prefix)]
    const compactions = vi.spyOn(EtcdClient.prototype, 'compact')
    await put(one, keyOf('a'), '1')
    for (let round = 0; round < 3; round++) {
      await put(one, keyOf('a'), String(round))
      await Promise.all([one.readBarrier(), other.readBarrier()])
      compactions.mockClear()
      await one.compact(one.currentRevision())
      await other.compact(other.currentRevision())
      expect(compactions.mock.calls.length).toBe(1)
    }
    compactions.mockRestore()
  })

  describe('when the connection to etcd fails', () => {
    it('a write without a response is resolved, and never repeated', async () => {
      const prefix = freshPrefix()
      const { storage, tap } = await tapped(prefix)
      const seen = recorder()
      storage.watch('/registry/', storage.currentRevision(), seen)
      for (let i = 0; i < 5; i++) {
        tap.loseResponses()
        const writes = [put(storage, keyOf('a'), String(i)), putIf(storage, keyOf(`n${i}`), 0, '1')]
        await new Promise((resolve) => setTimeout(resolve, 30))
        tap.cut()
        const results = await Promise.all(writes)
        expect(results.map(({ succeeded }) => succeeded)).toEqual([true, true])
      }
      const changes = seen.events.map(
        ({ key, current }) =>
          `${key.split('/').at(-1)}=${(current.object.data as { value: string }).value}`,
      )
      expect(changes.sort()).toEqual([
        'a=0',
        'a=1',
        'a=2',
        'a=3',
        'a=4',
        'n0=1',
        'n1=1',
        'n2=1',
        'n3=1',
        'n4=1',
      ])
    })

    it('watchers get no lost and no duplicate events', async () => {
      const prefix = freshPrefix()
      const writer = await open(prefix)
      const { storage, tap } = await tapped(prefix)
      const seen = recorder()
      storage.watch('/registry/', storage.currentRevision(), seen)
      for (let i = 0; i < 60; i++) {
        await put(writer, keyOf('a'), String(i))
        if (i % 20 === 10) tap.cut()
      }
      await vi.waitFor(() => expect(seen.events).toHaveLength(60), 5000)
      expect(
        seen.events.map(({ current }) => (current.object.data as { value: string }).value),
      ).toEqual(Array.from({ length: 60 }, (_, i) => String(i)))
    })

    it('a host that missed compacted history reloads', async () => {
      const prefix = freshPrefix()
      const writer = await open(prefix)
      const { storage, tap } = await tapped(prefix)
      await put(writer, keyOf('old'), '1')
      await storage.readBarrier()
      const seen = recorder()
      storage.watch('/registry/', storage.currentRevision(), seen)
      tap.loseResponses()
      await remove(writer, keyOf('old'))
      await put(writer, keyOf('new'), '1')
      await put(writer, keyOf('new'), '2')
      await writer.compact(writer.currentRevision())
      tap.cut()
      await vi.waitFor(() => expect(seen.ends).toEqual(['gone']), 5000)
      await storage.readBarrier()
      expect([seen.reported(), await listed(storage)]).toEqual([[], ['new=2']])
      expect(storage.currentRevision()).toBe(writer.currentRevision())
    })
  })

  describe('when etcd itself fails', () => {
    it('the host reports it, responds with an error in time, and recovers on its own', async () => {
      const prefix = freshPrefix()
      const storage = await open(prefix, etcd.url, 1_500)
      await put(storage, keyOf('a'), '1')
      const seen = recorder()
      storage.watch('/registry/', storage.currentRevision(), seen)
      await etcd.kill()
      const rejected = putIf(storage, keyOf('b'), 0, '1')
      await expect(rejected).rejects.toThrow(StorageUnavailableError)
      await expect(storage.readBarrier()).rejects.toThrow(StorageUnavailableError)
      expect(storage.failure()).toMatch(/^the watch of etcd is interrupted|has not responded/)
      expect(await listed(storage)).toEqual(['a=1'])
      await etcd.run()
      await storage.readBarrier()
      await vi.waitFor(() => expect(storage.failure()).toBeUndefined(), 3000)
      await put(storage, keyOf('c'), '1')
      expect(seen.reported()).toEqual(['ADDED c=1'])
    })

    it('an etcd that hangs leaves the result of a write unknown', async () => {
      const prefix = freshPrefix()
      const storage = await open(prefix, etcd.url, 1_000)
      etcd.suspend()
      const failure = await putIf(storage, keyOf('a'), 0, '1').catch((error: unknown) => error)
      etcd.resume()
      expect(failure).toBeInstanceOf(StorageUnavailableError)
      expect((failure as StorageUnavailableError).uncertain).toBe(true)
      await vi.waitFor(() => storage.readBarrier(), 5000)
      const found = await listed(storage)
      expect([[], ['a=1']]).toContainEqual(found)
      // The write may still be in flight and commit before this one. The first to commit makes the
      // other fail.
      const { succeeded } = await putIf(storage, keyOf('a'), 0, '2')
      if (found.length > 0) expect(succeeded).toBe(false)
      expect(await listed(storage)).toEqual([succeeded ? 'a=2' : 'a=1'])
    })

    it('a recreated etcd is accepted as it is', async () => {
      const other = await Etcd.start()
      const storage = await open('/registry', other.url)
      await put(storage, keyOf('a'), '1')
      await put(storage, keyOf('a'), '2')
      const seen = recorder()
      storage.watch('/registry/', storage.currentRevision(), seen)
      await other.kill()
      other.discard()
      await other.run()
      await vi.waitFor(() => expect(seen.ends).toEqual(['gone']), 5000)
      await storage.readBarrier()
      expect(await listed(storage)).toEqual([])
      await storage.close()
      await other.remove()
    })
  })
})
