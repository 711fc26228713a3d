/**
 * One store through many lives, each ended by a death at a random moment: nothing acknowledged is lost, nothing is half there, and
 * the store opens again.
 */
import type { CommitBackend } from '../../src/engine/storage/backend'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Storage } from '../../src/engine/storage/storage'
import { openPersistentStore, type PersistentStore } from '../../src/persistence/indexeddb'
import { type Chance, chanceOf } from '../robustness/chance'
import { configMap, dataOf, keyOf } from '../storage/objects'
import { dieAfter } from './deaths'

const PAIRS = ['a', 'b', 'c', 'd'] as const
/** Kills of one store, which grows with every life. */
export const LIVES = 20
const WRITERS = 3
/** So many versions may lie singly: deaths come while they are gathered, too. */
const SINGLE = 8

/** Two objects that are always written together, by so manyth write. */
interface Pair {
  begun: number
  acknowledged: number
  revision: number
}

export interface Counted {
  kills: number
  acknowledged: number
  /** Writes without an acknowledgement: they may be there or not. */
  unanswered: number
  /** So many of them were there. */
  found: number
}

const sides = (pair: string): [string, string] => [keyOf(`${pair}-left`), keyOf(`${pair}-right`)]

let stores = 0

/**
 * @param broken changes the store, to see that it is noticed
 * @throws Error that reports what was lost, halved or out of order
 */
export async function live(
  seed: number,
  kills: number,
  broken: (store: PersistentStore) => CommitBackend = (store) => store,
): Promise<Counted> {
  const name = `durability-${++stores}`
  const counted: Counted = { kills: 0, acknowledged: 0, unanswered: 0, found: 0 }
  const pairs = new Map<string, Pair>(
    PAIRS.map((pair) => [pair, { begun: 0, acknowledged: 0, revision: 0 }]),
  )
  for (let life = 0; life < kills; life++) {
    const chance = chanceOf(seed, 'life', life)
    const store = await openPersistentStore(name, SINGLE)
    const storage = createMemoryStorage({ backend: broken(store), initial: await store.load() })
    if (store.damaged().length > 0)
      throw new Error(`life ${life}: damaged records ${store.damaged().join()}`)
    await expectWhole(storage, pairs, life, counted)
    const mortal = dieAfter(chance.below(120), chance.happens(0.3))
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      write(storage, pairs, chanceOf(seed, life, writer), mortal.dead),
    )
    const work = Promise.all([...writers, discard(storage, chance, mortal.dead)]).catch(
      (error: unknown) => {
        if (!mortal.dead()) throw error
      },
    )
    try {
      await Promise.race([mortal.death, work])
    } finally {
      // What is still on its way comes to nothing.
      await new Promise((resolve) => setTimeout(resolve, 5))
      mortal.bury()
      store.close()
    }
    counted.kills++
  }
  const store = await openPersistentStore(name)
  const storage = createMemoryStorage({ backend: store, initial: await store.load() })
  await expectWhole(storage, pairs, kills, counted)
  await storage.transaction(
    [],
    [{ type: 'put', key: keyOf('last'), object: configMap('last', 'word') }],
  )
  await storage.close()
  counted.acknowledged = [...pairs.values()].reduce(
    (sum, { acknowledged }) => sum + acknowledged,
    0,
  )
  return counted
}

async function write(
  storage: Storage,
  pairs: Map<string, Pair>,
  chance: Chance,
  dead: () => boolean,
): Promise<void> {
  while (!dead()) {
    const name = chance.pick(PAIRS)
    const pair = pairs.get(name) as Pair
    const number = ++pair.begun
    const changes = sides(name).map((key) => ({
      type: 'put' as const,
      key,
      object: configMap('x', String(number)),
    }))
    const result = await storage.transaction([], changes)
    // The client is dead: it has not received the acknowledgement.
    if (dead() || !result.succeeded) return
    pair.acknowledged = Math.max(pair.acknowledged, number)
    pair.revision = Math.max(pair.revision, result.revision)
  }
}

/** Compacts now and then, so that a death may come in the middle of that. */
async function discard(storage: Storage, chance: Chance, dead: () => boolean): Promise<void> {
  while (!dead()) {
    await new Promise((resolve) => setTimeout(resolve, chance.below(4)))
    if (!dead()) await storage.compact(storage.currentRevision())
  }
}

async function expectWhole(
  storage: Storage,
  pairs: Map<string, Pair>,
  life: number,
  counted: Counted,
): Promise<void> {
  for (const [name, pair] of pairs) {
    const [left, right] = await Promise.all(sides(name).map((key) => storage.get(key)))
    const [number, other] = [left, right].map((stored) =>
      stored ? Number(dataOf(stored.object)) : 0,
    ) as [number, number]
    const reported = `life ${life}, pair ${name}: write ${pair.acknowledged} was acknowledged, ${pair.begun} were begun`
    if (number !== other || left?.revision !== right?.revision)
      throw new Error(`${reported}, half of one is there: ${number} and ${other}`)
    if (number < pair.acknowledged) throw new Error(`${reported}, but ${number} is there`)
    if (number > pair.begun) throw new Error(`${reported}, but ${number} is there`)
    if ((left?.revision ?? 0) < pair.revision || storage.currentRevision() < pair.revision)
      throw new Error(`${reported}: revisions went back`)
    counted.unanswered += pair.begun - pair.acknowledged
    counted.found += number - pair.acknowledged
    Object.assign(pair, { acknowledged: number, begun: number, revision: left?.revision ?? 0 })
  }
}
