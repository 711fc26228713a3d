/** Random operations on the stores, compared with a model that keeps every state. */
import { CompactedError } from '../../src/engine/storage/compacted-error'
import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { SortedMap } from '../../src/engine/storage/sorted-map'
import type { Storage, StorageEvent } from '../../src/engine/storage/storage'
import { openPersistentStore } from '../../src/persistence/indexeddb'
import { configMap, dataOf, keyOf, putIf, recorder } from './objects'

type State = Map<string, { value: string; revision: number }>

/** A model of a store: the whole state after each revision. */
class Model {
  readonly states: State[] = [new Map(), new Map()]

  get revision(): number {
    return this.states.length - 1
  }

  get now(): State {
    return this.states[this.revision] as State
  }

  write(changes: { key: string; value: string | undefined }[]): number {
    const next: State = new Map(this.now)
    const revision = this.revision + 1
    for (const { key, value } of changes) {
      if (value === undefined) next.delete(key)
      else next.set(key, { value, revision })
    }
    this.states.push(next)
    return revision
  }
}

const namespaces = ['a', 'ab', 'b']
const key = fc
  .tuple(fc.constantFrom(...namespaces), fc.constantFrom('x', 'y', 'z'))
  .map(([namespace, name]) => keyOf(name, namespace))
const prefix = fc.constantFrom(
  '/registry/',
  '/registry/configmaps/',
  ...namespaces.map((name) => `/registry/configmaps/${name}/`),
)
const value = fc.string({ maxLength: 3 })
/** The offset of the guard from the true revision: mostly zero. */
const drift = fc.constantFrom(0, 0, 0, 1)

const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('put' as const), key, value, drift }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), key, drift }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('several' as const),
      keys: fc.uniqueArray(key, { maxLength: 4 }),
      value,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('compact' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('watch' as const),
      prefix,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

interface Watched {
  prefix: string
  after: number
  events: StorageEvent[]
}

/** Runs the operations on both, comparing every result. @returns the events of the watches */
async function run(storage: Storage, model: Model, operations: Operation[]): Promise<Watched[]> {
  const watches: Watched[] = []
  for (const step of operations) {
    switch (step.type) {
      case 'put':
      case 'delete': {
        const current = model.now.get(step.key)
        if (step.type === 'delete' && current === undefined) break
        const guard = { key: step.key, revision: (current?.revision ?? 0) + step.drift }
        const object = configMap('x', step.type === 'put' ? step.value : '')
        const change =
          step.type === 'put'
            ? { type: step.type, key: step.key, object }
            : { type: step.type, key: step.key }
        const result = await storage.transaction([guard], [change])
        expect(result.succeeded).toBe(step.drift === 0)
        if (result.succeeded)
          expect(result.revision).toBe(
            model.write([{ key: step.key, value: step.type === 'put' ? step.value : undefined }]),
          )
        else expect(result.current?.revision).toBe(current?.revision)
        break
      }
      case 'several': {
        const changes = step.keys.map((one) => ({
          key: one,
          value: model.now.has(one) ? undefined : step.value,
        }))
        await storage.transaction(
          [],
          changes.map((one) =>
            one.value === undefined
              ? { type: 'delete', key: one.key }
              : { type: 'put', key: one.key, object: configMap('x', one.value) },
          ),
        )
        if (changes.length > 0) model.write(changes)
        break
      }
      case 'compact':
        await storage.compact(Math.round(step.share * model.revision))
        break
      case 'watch': {
        const after = Math.round(step.share * model.revision)
        const sink = recorder()
        if (after < storage.compactRevision())
          expect(() => storage.watch(step.prefix, after, sink)).toThrow(CompactedError)
        else {
          storage.watch(step.prefix, after, sink)
          watches.push({ prefix: step.prefix, after, events: sink.events })
        }
      }
    }
  }
  return watches
}

function entries(state: State, under: string): [string, string, number][] {
  return [...state]
    .filter(([one]) => one.startsWith(under))
    .map(([one, { value: text, revision }]): [string, string, number] => [one, text, revision])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

async function entriesOf(
  storage: Storage,
  under: string,
  revision: number,
): Promise<[string, string, number][]> {
  const { items } = await storage.range(under, { revision })
  return items.map((item) => [item.key, dataOf(item.object), item.revision])
}

async function expectHistory(storage: Storage, model: Model): Promise<void> {
  for (let revision = 1; revision <= model.revision; revision++) {
    for (const under of ['/registry/', '/registry/configmaps/a/']) {
      if (revision < storage.compactRevision())
        await expect(storage.range(under, { revision })).rejects.toThrow(CompactedError)
      else
        expect(await entriesOf(storage, under, revision)).toEqual(
          entries(model.states[revision] as State, under),
        )
    }
  }
  expect(await storage.count('/registry/configmaps/a/')).toBe(
    entries(model.now, '/registry/configmaps/a/').length,
  )
}

/**
 * A list with the events of its watch applied equals the current list; each event has the true
 * previous state.
 */
function expectReplay(model: Model, { prefix: under, after, events }: Watched): void {
  const state: State = new Map(
    entries(model.states[after] as State, under).map(([one, text, revision]) => [
      one,
      { value: text, revision },
    ]),
  )
  let last = after
  for (const { type, key: one, current, previous, revision } of events) {
    expect(revision).toBeGreaterThanOrEqual(last)
    expect(previous && dataOf(previous.object)).toBe(state.get(one)?.value)
    expect(current.object.metadata.resourceVersion).toBe(String(revision))
    expect(type === 'ADDED').toBe(!state.has(one))
    if (type === 'DELETED') state.delete(one)
    else state.set(one, { value: dataOf(current.object), revision })
    last = revision
  }
  expect(entries(state, under)).toEqual(entries(model.now, under))
}

describe('any run of operations', () => {
  it('matches the model; history is immutable; watches replay to the list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 60 }), async (operations) => {
        const storage = createMemoryStorage({ freeze: true })
        const model = new Model()
        const watches = await run(storage, model, operations)
        await expectHistory(storage, model)
        for (const watched of watches) expectReplay(model, watched)
      }),
      { numRuns: 300 },
    )
  })

  let databases = 0
  it('survives a restart at any point with its history, during packing into pages', async () => {
    const runs = fc.array(fc.array(operation, { maxLength: 12 }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(runs, fc.integer({ min: 1, max: 5 }), async (lives, single) => {
        const name = `property-${++databases}`
        const model = new Model()
        for (const operations of lives) {
          const store = await openPersistentStore(name, single)
          const storage = createMemoryStorage({
            backend: store,
            initial: await store.load(),
            freeze: true,
          })
          expect(storage.currentRevision()).toBe(model.revision)
          const watches = await run(storage, model, operations)
          await expectHistory(storage, model)
          for (const watched of watches) expectReplay(model, watched)
          await storage.close()
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('concurrent writers lose no update', () => {
  async function increment(storage: Storage, counter: string, times: number): Promise<void> {
    for (let done = 0; done < times; ) {
      const current = await storage.get(counter)
      const result = await putIf(
        storage,
        counter,
        current?.revision ?? 0,
        String(Number(current ? dataOf(current.object) : 0) + 1),
      )
      if (result.succeeded) done++
    }
  }

  async function expectCounted(engines: Storage[]): Promise<void> {
    const counters = [keyOf('x'), keyOf('y')]
    const writers = Array.from({ length: 8 }, (_, i) =>
      increment(engines[i % engines.length] as Storage, counters[(i >> 1) % 2] as string, 5),
    )
    await Promise.all(writers)
    const [storage] = engines as [Storage]
    await storage.transaction(
      [],
      [{ type: 'put', key: keyOf('z'), object: configMap('z', 'catch up') }],
    )
    const values = await Promise.all(
      counters.map(async (counter) =>
        dataOf((await storage.get(counter))?.object ?? configMap('none', '')),
      ),
    )
    expect(values).toEqual(['20', '20'])
    await Promise.all(engines.map((engine) => engine.close()))
  }

  it('in memory', async () => {
    await expectCounted([createMemoryStorage()])
  })

  it('over a database, in one engine or in three', async () => {
    for (const count of [1, 3]) {
      const engines = await Promise.all(
        Array.from({ length: count }, async () => {
          const store = await openPersistentStore(`counters-${count}`)
          return createMemoryStorage({ backend: store, initial: await store.load() })
        }),
      )
      await expectCounted(engines)
    }
  })
})

describe('the index of keys', () => {
  it('is a sorted list over many chunks', () => {
    const step = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 3000 }))
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 50 }),
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 0, max: 3000 }),
        (steps, first, a, b) => {
          const name = (n: number) => String(n).padStart(5, '0')
          const naive = new Set(Array.from({ length: first }, (_, n) => n * 3))
          const map = SortedMap.of([...naive].map(name), [...naive])
          // Runs of adjacent keys make chunks split and empty.
          for (const [adding, from] of steps) {
            for (let n = from; n < from + 120; n++) {
              expect(adding ? map.add(name(n), n) : map.delete(name(n))).toBe(
                adding ? !naive.has(n) : naive.has(n),
              )
              if (adding) naive.add(n)
              else naive.delete(n)
            }
          }
          const within = [...naive].filter((n) => n >= a && n < b).sort((x, y) => x - y)
          expect(map.slice(name(a), name(b))).toEqual(within)
          expect(map.slice(name(a), name(b), 7)).toEqual(within.slice(0, 7))
          if (a <= b) expect(map.count(name(a), name(b))).toBe(within.length)
        },
      ),
      { numRuns: 60 },
    )
  })
})
