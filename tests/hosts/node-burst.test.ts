/** What belongs together in time: requests begin together, answers leave together. */
import { expect, it } from 'vitest'
import { Burst } from '../../src/hosts/node/burst'
import { WatchPulse } from '../../src/hosts/node/watch-writer'

const turn = () => new Promise(setImmediate)

it('requests that arrive in one turn begin in their order, all of them before any goes on', async () => {
  const burst = new Burst(new WatchPulse())
  const happened: string[] = []
  for (const name of ['a', 'b', 'c'])
    burst.arrived(() => {
      happened.push(`${name} begins`)
      void Promise.resolve().then(() => happened.push(`${name} goes on`))
    })
  expect(happened).toEqual([])
  await turn()
  expect(happened).toEqual([
    'a begins',
    'b begins',
    'c begins',
    'a goes on',
    'b goes on',
    'c goes on',
  ])
})

it('answers of one turn leave together at its end, behind what a few watchers are to be told first', async () => {
  const happened: string[] = []
  const pulse = new WatchPulse()
  pulse.beforeAnswer = () => void happened.push('watchers are told')
  const burst = new Burst(pulse)
  burst.ready(() => happened.push('first'))
  burst.ready(() => happened.push('second'))
  expect(happened).toEqual([])
  await turn()
  expect(happened).toEqual(['watchers are told', 'first', 'second'])
})

it('what arrives meanwhile waits for its own turn', async () => {
  const burst = new Burst(new WatchPulse())
  const happened: string[] = []
  burst.arrived(() => {
    happened.push('early')
    burst.arrived(() => happened.push('late'))
  })
  await turn()
  expect(happened).toEqual(['early'])
  await turn()
  expect(happened).toEqual(['early', 'late'])
})
