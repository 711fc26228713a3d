/** When the events of watches leave: a few watchers are told at once, and with many the events gather. */
import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { type WatchOutlet, WatchPulse, WatchWriter } from '../../src/hosts/node/watch-writer'

/** Takes a while to write, as systems do, so that the gathering has something to save. */
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

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function told(watchers: number, events: number): Promise<string[]> {
  const pulse = new WatchPulse()
  const outlets = Array.from({ length: watchers }, () => new Outlet())
  const writers = outlets.map((outlet) => new WatchWriter(outlet as unknown as WatchOutlet, pulse))
  for (let i = 0; i < events; i++) {
    for (const writer of writers) writer.write(`${i} `)
    await turn()
  }
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(new Set(outlets.map(({ writes }) => writes.join(''))).size).toBe(1)
  return outlets[0]?.writes ?? []
}

it('A few watchers are told of each event as it comes', async () => {
  expect(await told(3, 5)).toEqual(['0 ', '1 ', '2 ', '3 ', '4 '])
})

it('Many are told of the first at once, and of those that follow it together, losing none', async () => {
  const writes = await told(50, 5)
  expect([writes[0], writes.join('')]).toEqual(['0 ', '0 1 2 3 4 '])
  expect(writes.length).toBeLessThan(5)
})
