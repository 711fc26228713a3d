/** Flushes of watch events: immediate for a few watchers, batched for many. */
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  WatchFlushScheduler,
  type WatchOutlet,
  WatchWriter,
} from '../../src/hosts/node/watch-writer'

/** A slow write, as of a socket, so that batching saves time. */
class Outlet extends EventEmitter {
  readonly destroyed = false
  readonly writableLength = 0
  writes: string[] = []
  write(chunk: Uint8Array): boolean {
    const until = performance.now() + 0.2
    while (performance.now() < until);
    this.writes.push(Buffer.from(chunk).toString())
    return true
  }
  end(): void {}
  destroy(): void {}
}

/** The writer uses only the members that `Outlet` has. */
const writerTo = (outlet: object, scheduler: WatchFlushScheduler): WatchWriter =>
  new WatchWriter(outlet as WatchOutlet, scheduler)

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function reported(watchers: number, events: number): Promise<string[]> {
  const flushScheduler = new WatchFlushScheduler()
  const outlets = Array.from({ length: watchers }, () => new Outlet())
  const writers = outlets.map((outlet) => writerTo(outlet, flushScheduler))
  for (let i = 0; i < events; i++) {
    for (const writer of writers) writer.write(`${i} `)
    await turn()
  }
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(new Set(outlets.map(({ writes }) => writes.join(''))).size).toBe(1)
  return outlets[0]?.writes ?? []
}

it('flushes each event at once to a few watchers', async () => {
  expect(await reported(3, 5)).toEqual(['0 ', '1 ', '2 ', '3 ', '4 '])
})

it('batches events to many watchers, except the first', async () => {
  const writes = await reported(50, 5)
  expect([writes[0], writes.join('')]).toEqual(['0 ', '0 1 2 3 4 '])
  expect(writes.length).toBeLessThan(5)
})

/** Collects its chunks. */
class Quick extends Outlet {
  override write(chunk: Uint8Array): boolean {
    this.writes.push(Buffer.from(chunk).toString())
    return true
  }
}

describe('streams with the same events', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  function joined(count: number) {
    const flushScheduler = new WatchFlushScheduler()
    const what = {}
    const add = () => {
      const outlet = new Quick()
      const writer = writerTo(outlet, flushScheduler)
      return { outlet, writer, text: () => outlet.writes.join('') }
    }
    const members = Array.from({ length: count }, add)
    return { add, what, members, memberships: members.map(({ writer }) => writer.join(what)) }
  }

  it('share one sink, and each gets every chunk', async () => {
    const { members, memberships } = joined(3)
    const [first] = memberships
    expect(new Set(memberships.map(({ shared }) => shared)).size).toBe(1)
    first?.shared.write(bytes('a '))
    first?.shared.write(bytes('b '))
    await turn()
    expect(members.map(({ outlet }) => outlet.writes)).toEqual([['a b '], ['a b '], ['a b ']])
  })

  it('get a separate chunk in order', async () => {
    const { members, memberships } = joined(2)
    const shared = memberships[0]?.shared
    members[0]?.writer.write('before ')
    shared?.write(bytes('a '))
    members[0]?.writer.write('own ')
    shared?.write(bytes('b '))
    await turn()
    expect(members.map(({ text }) => text())).toEqual(['before a own b ', 'a b '])
  })

  it('get only the chunks between their join and their end', async () => {
    const { add, what, members, memberships } = joined(3)
    const shared = memberships[0]?.shared
    shared?.write(bytes('a '))
    const late = add()
    late.writer.write('first ')
    late.writer.join(what)
    shared?.write(bytes('b '))
    memberships[1]?.leave()
    members[2]?.writer.end()
    shared?.write(bytes('c '))
    await turn()
    expect([...members, late].map(({ text }) => text())).toEqual([
      'a b c ',
      'a b ',
      'a b ',
      'first b c ',
    ])
  })

  it('continue when one of them is canceled', async () => {
    const { members, memberships } = joined(3)
    members[1]?.writer.abort()
    memberships[0]?.shared.write(bytes('a '))
    await turn()
    expect(members.map(({ text }) => text())).toEqual(['a ', '', 'a '])
  })

  it('leave no group behind: the next stream starts a new one', () => {
    const { add, what, memberships } = joined(1)
    memberships[0]?.leave()
    expect(add().writer.join(what).shared).not.toBe(memberships[0]?.shared)
  })
})
