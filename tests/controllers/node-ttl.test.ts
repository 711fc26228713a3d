/** The TTL annotation of nodes, by the number of nodes. */
import { expect, it } from 'vitest'
import { TimeToLive } from '../../src/engine/controllers/node-ttl'

const after = (time: TimeToLive, by: number): number => {
  for (let i = 0; i < Math.abs(by); i++) by > 0 ? time.add() : time.remove()
  return time.seconds
}

it('changes at a boundary, with hysteresis on the way back', () => {
  const time = new TimeToLive()
  expect(after(time, 100)).toBe(0)
  expect(after(time, 1)).toBe(15)
  expect(after(time, -11)).toBe(15)
  expect(after(time, -1)).toBe(0)
  expect(after(time, 411)).toBe(15)
  expect(after(time, 1)).toBe(30)
  expect(after(time, 500)).toBe(60)
  expect(after(time, -101)).toBe(60)
  expect(after(time, -1)).toBe(30)
})
