/** The behavior of every store. Call it with a function that opens an empty one. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CompactedError } from '../../src/engine/storage/compacted-error'
import { FutureRevisionError, type Storage } from '../../src/engine/storage/storage'
import { historySuite } from './history-suite'
import {
  configMap,
  dataOf,
  keyOf,
  listed,
  put,
  putIf,
  recorder,
  remove,
  succeeded,
} from './objects'

export function storageSuite(open: () => Promise<Storage>): void {
  let storage: Storage

  beforeEach(async () => {
    storage = await open()
  })

  afterEach(async () => {
    await storage.close()
  })

  describe('revisions', () => {
    it('begin at 1, so that the first write has revision 2', async () => {
      expect(storage.currentRevision()).toBe(1)
      expect((await put(storage, keyOf('a'), '1')).revision).toBe(2)
      expect(storage.currentRevision()).toBe(2)
    })

    it('are one counter for all keys, and appear in the object', async () => {
      await put(storage, keyOf('a'), '1')
      const { revision, stored } = await put(storage, keyOf('b'), '1')
      expect(
        stored.map((one) => [
          one.revision,
          one.createRevision,
          one.object.metadata.resourceVersion,
        ]),
      ).toEqual([[revision, revision, String(revision)]])
    })

    it('record the revision that created the key, until it is deleted', async () => {
      const created = await put(storage, keyOf('a'), '1')
      const changed = await put(storage, keyOf('a'), '2')
      expect(changed.stored[0]?.createRevision).toBe(created.revision)
      await remove(storage, keyOf('a'))
      const again = await put(storage, keyOf('a'), '3')
      expect(again.stored[0]?.createRevision).toBe(again.revision)
    })

    it('do not change for a transaction that fails its guard or changes nothing', async () => {
      await put(storage, keyOf('a'), '1')
      await putIf(storage, keyOf('a'), 0, '2')
      await storage.transaction([], [])
      expect(storage.currentRevision()).toBe(2)
    })
  })

  describe('a transaction', () => {
    it('writes only if every guard holds, else returns the first failed state', async () => {
      await put(storage, keyOf('a'), '1')
      await put(storage, keyOf('b'), '1')
      const result = await storage.transaction(
        [
          { key: keyOf('a'), revision: 2 },
          { key: keyOf('b'), revision: 2 },
        ],
        [{ type: 'put', key: keyOf('a'), object: configMap('a', '2') }],
      )
      expect(result).toMatchObject({ succeeded: false, current: { key: keyOf('b'), revision: 3 } })
      expect(await listed(storage)).toEqual(['a=1', 'b=1'])
    })

    it('creates only absent keys', async () => {
      expect((await putIf(storage, keyOf('a'), 0, '1')).succeeded).toBe(true)
      const second = await putIf(storage, keyOf('a'), 0, '2')
      expect(second).toMatchObject({ succeeded: false, current: { revision: 2 } })
    })

    it('returns undefined where a guard expected a state', async () => {
      expect(await putIf(storage, keyOf('a'), 7, '1')).toEqual({
        succeeded: false,
        current: undefined,
      })
    })

    it('has one revision for all its changes', async () => {
      await put(storage, keyOf('gone'), '1')
      const { revision, stored } = succeeded(
        await storage.transaction(
          [],
          [
            { type: 'put', key: keyOf('a'), object: configMap('a', '1') },
            { type: 'delete', key: keyOf('gone') },
          ],
        ),
      )
      expect(
        stored.map((one) => [one.key, one.revision, one.object.metadata.resourceVersion]),
      ).toEqual([
        [keyOf('a'), revision, String(revision)],
        [keyOf('gone'), revision, String(revision)],
      ])
      expect(await listed(storage)).toEqual(['a=1'])
    })

    it('returns the last state of a deleted key under the revision of the deletion', async () => {
      await put(storage, keyOf('a'), 'last')
      const { stored, revision } = await remove(storage, keyOf('a'))
      expect(stored.map(({ object }) => [dataOf(object), object.metadata.resourceVersion])).toEqual(
        [['last', String(revision)]],
      )
      expect(await storage.get(keyOf('a'))).toBeUndefined()
    })

    it('throws for the deletion of an absent key, and for two changes of one key', async () => {
      await expect(remove(storage, keyOf('a'))).rejects.toThrow('does not exist')
      const change = { type: 'put', key: keyOf('a'), object: configMap('a', '1') } as const
      await expect(storage.transaction([], [change, change])).rejects.toThrow('twice')
      expect(storage.currentRevision()).toBe(1)
    })

    it('sees the effect of a concurrent one on the same key: one succeeds', async () => {
      const results = await Promise.all(
        ['1', '2', '3'].map((value) => putIf(storage, keyOf('a'), 0, value)),
      )
      expect(results.map((result) => result.succeeded)).toEqual([true, false, false])
      expect(results[2]).toMatchObject({ current: { revision: 2 } })
      expect(await listed(storage)).toEqual(['a=1'])
    })

    it('that fails because of a pending one resolves when reads see the reason', async () => {
      const first = put(storage, keyOf('a'), '1')
      const second = await putIf(storage, keyOf('a'), 0, '2')
      expect(second).toMatchObject({ succeeded: false, current: { revision: 2 } })
      expect(await listed(storage)).toEqual(['a=1'])
      await first
    })
  })

  describe('a repeated request', () => {
    it('writes once and gets the same result twice', async () => {
      const first = await putIf(storage, keyOf('a'), 0, '1', 'request-1')
      const second = await putIf(storage, keyOf('a'), 0, '1', 'request-1')
      expect(second).toEqual(first)
      expect(storage.currentRevision()).toBe(2)
    })

    it('returns what it wrote, even under another name or after later changes', async () => {
      await putIf(storage, keyOf('generated-x'), 0, '1', 'request-1')
      await put(storage, keyOf('generated-x'), '2')
      const again = succeeded(await putIf(storage, keyOf('generated-y'), 0, '1', 'request-1'))
      expect(again.stored.map(({ key, object }) => [key, dataOf(object)])).toEqual([
        [keyOf('generated-x'), '1'],
      ])
      expect(await listed(storage)).toEqual(['generated-x=2'])
    })

    it('has an outcome to query before it runs', async () => {
      expect(await storage.outcome('request-1')).toBeUndefined()
      const first = await putIf(storage, keyOf('a'), 0, '1', 'request-1')
      expect(await storage.outcome('request-1')).toEqual(first)
    })

    it('waits for its own pending write', async () => {
      const both = await Promise.all([
        putIf(storage, keyOf('a'), 0, '1', 'same'),
        putIf(storage, keyOf('a'), 0, '1', 'same'),
      ])
      expect(both.map((result) => result.succeeded && result.revision)).toEqual([2, 2])
    })

    it('is checked again if its guard failed the first time', async () => {
      await put(storage, keyOf('a'), '1')
      expect((await putIf(storage, keyOf('a'), 0, '2', 'request-1')).succeeded).toBe(false)
      await remove(storage, keyOf('a'))
      expect((await putIf(storage, keyOf('a'), 0, '2', 'request-1')).succeeded).toBe(true)
    })

    it('is discarded with its revision', async () => {
      await putIf(storage, keyOf('a'), 0, '1', 'request-1')
      await put(storage, keyOf('b'), '1')
      await storage.compact(3)
      expect(await storage.outcome('request-1')).toBeUndefined()
    })
  })

  describe('a range', () => {
    beforeEach(async () => {
      for (const [namespace, name] of [
        ['b', 'y'],
        ['a', 'z'],
        ['ab', 'x'],
        ['a', 'x'],
        ['a', 'y'],
      ] as const)
        await put(storage, keyOf(name, namespace), namespace)
    })

    it('lists keys in order', async () => {
      expect(await listed(storage)).toEqual(['x=a', 'y=a', 'z=a', 'x=ab', 'y=b'])
    })

    it('excludes keys that only share the beginning of the prefix', async () => {
      expect(await listed(storage, '/registry/configmaps/a/')).toEqual(['x=a', 'y=a', 'z=a'])
      expect(await listed(storage, '/registry/config/')).toEqual([])
    })

    it('is paginated, each page with the number of remaining keys', async () => {
      const prefix = '/registry/configmaps/'
      const first = await storage.range(prefix, { limit: 2 })
      expect(first.items.map(({ key }) => key)).toEqual([keyOf('x', 'a'), keyOf('y', 'a')])
      expect([first.revision, first.remaining]).toEqual([6, 3])
      const second = await storage.range(prefix, { limit: 3, after: keyOf('y', 'a'), revision: 6 })
      expect(second.items.map(({ key }) => key)).toEqual([
        keyOf('z', 'a'),
        keyOf('x', 'ab'),
        keyOf('y', 'b'),
      ])
      expect(second.remaining).toBe(0)
    })

    it('reads a past revision page by page during writes', async () => {
      await remove(storage, keyOf('y', 'a'))
      await put(storage, keyOf('z', 'a'), 'changed')
      await put(storage, keyOf('w', 'a'), 'new')
      expect(await listed(storage, '/registry/configmaps/a/', 6)).toEqual(['x=a', 'y=a', 'z=a'])
      const page = await storage.range('/registry/configmaps/a/', {
        revision: 6,
        limit: 1,
        after: keyOf('x', 'a'),
      })
      expect([page.revision, page.items.map(({ key }) => key), page.remaining]).toEqual([
        6,
        [keyOf('y', 'a')],
        1,
      ])
    })

    it('counts existing keys', async () => {
      await remove(storage, keyOf('x', 'a'))
      expect(
        await Promise.all(
          ['/registry/', '/registry/configmaps/a/', '/registry/pods/'].map((prefix) =>
            storage.count(prefix),
          ),
        ),
      ).toEqual([4, 2, 0])
    })

    it('rejects a future revision', async () => {
      await expect(storage.range('/registry/', { revision: 99 })).rejects.toThrow(
        FutureRevisionError,
      )
      await expect(storage.get(keyOf('x', 'a'), { revision: 99 })).rejects.toThrow(
        FutureRevisionError,
      )
    })
  })

  describe('a watch', () => {
    it('sends changes under its prefix in order, with the previous state', async () => {
      const seen = recorder()
      storage.watch('/registry/configmaps/default/', storage.currentRevision(), seen)
      await put(storage, keyOf('a'), '1')
      await put(storage, keyOf('a', 'other'), '1')
      await put(storage, keyOf('a'), '2')
      await remove(storage, keyOf('a'))
      await vi.waitFor(() =>
        expect(seen.reported()).toEqual(['ADDED a=1', 'MODIFIED a=2', 'DELETED a=2']),
      )
      expect(seen.events.map(({ previous }) => previous && dataOf(previous.object))).toEqual([
        undefined,
        '1',
        '2',
      ])
      expect(
        seen.events.map(
          ({ revision, current }) => current.object.metadata.resourceVersion === String(revision),
        ),
      ).toEqual([true, true, true])
    })

    it('starts after a past revision', async () => {
      await put(storage, keyOf('a'), '1')
      await put(storage, keyOf('a'), '2')
      await put(storage, keyOf('b'), '1')
      const seen = recorder()
      storage.watch('/registry/', 2, seen)
      await put(storage, keyOf('c'), '1')
      await vi.waitFor(() =>
        expect(seen.reported()).toEqual(['MODIFIED a=2', 'ADDED b=1', 'ADDED c=1']),
      )
    })

    it('from a future revision sends nothing until then', async () => {
      const seen = recorder()
      storage.watch('/registry/', 3, seen)
      await put(storage, keyOf('a'), '1')
      await put(storage, keyOf('b'), '1')
      await put(storage, keyOf('c'), '1')
      await vi.waitFor(() => expect(seen.reported()).toEqual(['ADDED c=1']))
    })

    it('of one key sends nothing of another', async () => {
      const seen = recorder()
      storage.watch(keyOf('a'), 1, seen)
      await put(storage, keyOf('ab'), '1')
      await put(storage, keyOf('a'), '1')
      await vi.waitFor(() => expect(seen.reported()).toEqual(['ADDED a=1']))
    })

    it('sends nothing once stopped', async () => {
      const stopped = recorder()
      const other = recorder()
      const watcher = storage.watch('/registry/', 1, stopped)
      storage.watch('/registry/', 1, other)
      watcher.stop()
      watcher.stop()
      await put(storage, keyOf('a'), '1')
      await vi.waitFor(() => expect(other.reported()).toEqual(['ADDED a=1']))
      expect(stopped.reported()).toEqual([])
    })

    it('that starts during an event sends that event once', async () => {
      const late = recorder()
      storage.watch('/registry/', 1, {
        end: () => undefined,
        event: (event) => void storage.watch('/registry/', event.revision - 1, late),
      })
      await put(storage, keyOf('a'), '1')
      await vi.waitFor(() => expect(late.reported()).toEqual(['ADDED a=1']))
    })

    it('ends when the store is closed', async () => {
      const seen = recorder()
      storage.watch('/registry/', 1, seen)
      await storage.close()
      await vi.waitFor(() => expect(seen.ends).toEqual(['closed']))
    })
  })

  describe('compaction', () => {
    beforeEach(async () => {
      await put(storage, keyOf('a'), '1')
      await put(storage, keyOf('a'), '2')
      await put(storage, keyOf('gone'), '1')
      await remove(storage, keyOf('gone'))
      await put(storage, keyOf('a'), '3')
    })

    it('discards older history, and rejects reads of it', async () => {
      await storage.compact(4)
      expect(storage.compactRevision()).toBe(4)
      await expect(storage.range('/registry/', { revision: 3 })).rejects.toThrow(CompactedError)
      await expect(storage.get(keyOf('a'), { revision: 2 })).rejects.toThrow(CompactedError)
      expect(() => storage.watch('/registry/', 3, recorder())).toThrow(CompactedError)
    })

    it('keeps the state of its own revision', async () => {
      await storage.compact(4)
      expect(await listed(storage, '/registry/', 4)).toEqual(['a=2', 'gone=1'])
      expect(await listed(storage)).toEqual(['a=3'])
      const seen = recorder()
      storage.watch('/registry/', 4, seen)
      await vi.waitFor(() => expect(seen.reported()).toEqual(['DELETED gone=1', 'MODIFIED a=3']))
    })

    it('does not disturb open watches', async () => {
      const seen = recorder()
      storage.watch('/registry/', storage.currentRevision(), seen)
      await storage.compact(storage.currentRevision())
      await put(storage, keyOf('b'), '1')
      await vi.waitFor(() => expect(seen.reported()).toEqual(['ADDED b=1']))
      expect(seen.ends).toEqual([])
    })

    it('can be repeated, moves only forward, and not into the future', async () => {
      await storage.compact(4)
      await storage.compact(3)
      expect(storage.compactRevision()).toBe(4)
      await expect(storage.compact(99)).rejects.toThrow(FutureRevisionError)
    })
  })

  historySuite(() => storage)
}
