/** Measures a store in a browser's database without disturbing other connections. */
import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CommittedChange } from '../../src/engine/storage/backend'
import { openPersistentStore, removePersistentStore } from '../../src/persistence/indexeddb'
import { measureStore } from '../../src/persistence/measure'

let count = 0
const fresh = (): string => `measured-${++count}`

const change = (revision: number, key: string, isThere = true): CommittedChange => ({
  key,
  revision,
  createRevision: revision,
  object: isThere ? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: key } } : undefined,
})

async function filled(name: string, changes: CommittedChange[]) {
  const store = await openPersistentStore(name)
  const to = changes.at(-1)?.revision ?? 1
  if (changes.length > 0) await store.commit({ from: 1, to, changes, requests: [] })
  return store
}

describe('the size of a store', () => {
  it('counts existing objects and versions, whatever the order of changes', async () => {
    const keys = fc.constantFrom(
      '/registry/pods/a',
      '/registry/pods/b',
      '/registry/nodes/c',
      '/keys/signing',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(keys, fc.boolean()), { maxLength: 30 }),
        async (writes) => {
          const name = fresh()
          const changes = writes.map(([key, isThere], at) => change(at + 2, key, isThere))
          const store = await filled(name, changes)
          const last = new Map(writes)
          const objects = [...last].filter(
            ([key, isThere]) => isThere && key.startsWith('/registry/'),
          ).length
          const bytes = changes.reduce(
            (sum, { key, object }) =>
              sum + key.length + (object ? JSON.stringify(object).length : 0),
            0,
          )
          expect(await measureStore(name)).toEqual({ objects, versions: changes.length, bytes })
          store.close()
        },
      ),
      { numRuns: 20 },
    )
  })

  it('is read in parts, completely', async () => {
    const name = fresh()
    const changes = Array.from({ length: 600 }, (_, at) => change(at + 2, `/registry/pods/${at}`))
    const store = await filled(name, changes)
    expect(await measureStore(name)).toMatchObject({ objects: 600, versions: 600 })
    store.close()
  })

  it('counts the versions in pages', async () => {
    const name = fresh()
    const store = await filled(name, [change(2, '/registry/pods/old')])
    await store.replace(
      Array.from({ length: 30 }, (_, at) => ({
        key: `/registry/pods/${at}`,
        object: change(2, `${at}`).object,
      })),
    )
    await store.commit({
      from: 33,
      to: 34,
      changes: [change(34, '/registry/pods/7', false)],
      requests: [],
    })
    expect(await measureStore(name)).toMatchObject({ objects: 29, versions: 31 })
    store.close()
  })

  it('is undefined without a database, and creates none', async () => {
    const name = fresh()
    expect(await measureStore(name)).toBeUndefined()
    expect((await indexedDB.databases()).map((database) => database.name)).not.toContain(name)
  })

  it('does not block the deletion of the database', async () => {
    const name = fresh()
    const store = await filled(name, [change(2, '/registry/pods/a')])
    const measured = measureStore(name).catch(() => undefined)
    await removePersistentStore(name)
    await measured
    store.close()
    expect((await indexedDB.databases()).map((database) => database.name)).not.toContain(name)
  })
})
