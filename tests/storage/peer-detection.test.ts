/**
 * Engines over one store detect each other; one that is alone skips the read of the store's
 * revision.
 */
import { expect, it } from 'vitest'
import { PeerDetection } from '../../src/persistence/peer-detection'

/** Connects a number of engines with a manual clock. */
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

it('an engine without a reply is alone', () => {
  const { all, pass } = engines(1)
  const [one] = all as [PeerDetection]
  one.ping()
  expect(one.isAlone()).toBe(true)
  pass(60_000)
  expect(one.isAlone()).toBe(true)
})

it('a new engine and an existing one detect each other', () => {
  const { all } = engines(2)
  const [one, other] = all as [PeerDetection, PeerDetection]
  other.ping()
  expect([one.isAlone(), other.isAlone()]).toEqual([false, false])
})

it('a notification of a write reveals its writer too', () => {
  const { all } = engines(1)
  const [one] = all as [PeerDetection]
  expect(one.receive(17)).toBe(false)
  expect(one.isAlone()).toBe(false)
})

it('a silent engine is pinged once more before it counts as gone', () => {
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
