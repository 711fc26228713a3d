/** Requests of one event loop turn start in a batch, and their responses are flushed in a batch. */
import { expect, it } from 'vitest'
import { TickBatcher } from '../../src/hosts/node/tick-batcher'
import { WatchFlushScheduler } from '../../src/hosts/node/watch-writer'

const turn = () => new Promise(setImmediate)

it('requests of one turn start in order, before any continues', async () => {
  const batcher = new TickBatcher(new WatchFlushScheduler())
  const happened: string[] = []
  for (const name of ['a', 'b', 'c'])
    batcher.arrived(() => {
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

it('responses of one turn are flushed at its end, after urgent watch events', async () => {
  const happened: string[] = []
  const flushScheduler = new WatchFlushScheduler()
  flushScheduler.flushBeforeResponse = () => void happened.push('watchers are notified')
  const batcher = new TickBatcher(flushScheduler)
  batcher.ready(() => happened.push('first'))
  batcher.ready(() => happened.push('second'))
  expect(happened).toEqual([])
  await turn()
  expect(happened).toEqual(['watchers are notified', 'first', 'second'])
})

it('work that arrives meanwhile waits for its own turn', async () => {
  const batcher = new TickBatcher(new WatchFlushScheduler())
  const happened: string[] = []
  batcher.arrived(() => {
    happened.push('early')
    batcher.arrived(() => happened.push('late'))
  })
  await turn()
  expect(happened).toEqual(['early'])
  await turn()
  expect(happened).toEqual(['early', 'late'])
})
