/** Engines over one store know of each other; one that is alone is spared a look at the store before each read. */
import { expect, it } from 'vitest'
import { PeerDetection } from '../../src/persistence/peer-detection'

/** A channel of so many engines, and a time that only the test moves. */
function engines(count: number) {
  let time = 0
  const all: PeerDetection[] = []
  const silent = new Set<PeerDetection>()
  for (let i = 0; i < count; i++) {
    const company: PeerDetection = new PeerDetection(
      (word) => {
        if (!silent.has(company))
          for (const other of all) if (other !== company && !silent.has(other)) other.receive(word)
      },
      () => time,
    )
    all.push(company)
  }
  return { all, silent, pass: (milliseconds: number) => (time += milliseconds) }
}

it('one that nobody answers is alone', () => {
  const { all, pass } = engines(1)
  const [one] = all as [PeerDetection]
  one.ping()
  expect(one.isAlone()).toBe(true)
  pass(60_000)
  expect(one.isAlone()).toBe(true)
})

it('who comes and who is there know of each other', () => {
  const { all } = engines(2)
  const [one, other] = all as [PeerDetection, PeerDetection]
  other.ping()
  expect([one.isAlone(), other.isAlone()]).toEqual([false, false])
})

it('a write tells of its writer too', () => {
  const { all } = engines(1)
  const [one] = all as [PeerDetection]
  expect(one.receive(17)).toBe(false)
  expect(one.isAlone()).toBe(false)
})

it('who has gone is asked for once more before it is believed', () => {
  const { all, silent, pass } = engines(2)
  const [one, other] = all as [PeerDetection, PeerDetection]
  other.ping()
  pass(11_000)
  expect(one.isAlone()).toBe(false)
  expect(one.isAlone()).toBe(false)
  silent.add(other)
  pass(11_000)
  expect(one.isAlone()).toBe(false)
  pass(1_001)
  expect(one.isAlone()).toBe(true)
})
