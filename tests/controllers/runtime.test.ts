/** The runtime of controllers: timers, work queues, events. */
import { describe, expect, it } from 'vitest'
import { ControllerCauses, WriteCauses } from '../../src/engine/causality/controller-writes'
import type { Client } from '../../src/engine/controllers/runtime/client'
import { DueTimes } from '../../src/engine/controllers/runtime/due-times'
import { makeRecorder } from '../../src/engine/controllers/runtime/events'
import { NodeHeartbeats } from '../../src/engine/controllers/runtime/node-heartbeats'
import { Queue } from '../../src/engine/controllers/runtime/queue'
import { SimulatedClock } from '../../src/engine/core/environment'
import { ApiError, conflict } from '../../src/engine/http/status'
import { Work } from '../../src/engine/time/work'

const log = { error: (message: string, cause: unknown) => expect.fail(`${message}: ${cause}`) }
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('timers', () => {
  it('fire in order, and those of one instant in the order of creation', () => {
    const clock = new SimulatedClock(0)
    const due = new DueTimes(clock, log)
    const rang: string[] = []
    due.at(30, () => rang.push('late'))
    due.at(10, () => rang.push('early'))
    due.at(30, () => rang.push('late too'))
    due.at(20, () => rang.push('called off'))()
    clock.advance(100)
    expect(rang).toEqual(['early', 'late', 'late too'])
  })

  it('share one timer of the clock', () => {
    const clock = new SimulatedClock(0)
    let timers = 0
    const counting = {
      now: () => clock.now(),
      after(wait: number, run: () => void) {
        timers++
        return clock.after(wait, run)
      },
    }
    const due = new DueTimes(counting, log)
    due.at(10, () => {})
    for (let i = 0; i < 50; i++) due.at(20 + i, () => {})
    expect(timers).toBe(1)
  })

  it('can be set while others fire', () => {
    const clock = new SimulatedClock(0)
    const due = new DueTimes(clock, log)
    const rang: number[] = []
    due.at(10, () => {
      rang.push(clock.now())
      due.at(15, () => rang.push(clock.now()))
    })
    clock.advance(100)
    expect(rang).toEqual([10, 15])
  })
})

describe('heartbeats', () => {
  it('reach every listener, even if one of them throws', () => {
    const failures: string[] = []
    const heartbeats = new NodeHeartbeats({ error: (message) => failures.push(message) })
    const seen: string[] = []
    heartbeats.onChange(() => {
      throw new Error('out of order')
    })
    heartbeats.onChange((node) => seen.push(node))
    heartbeats.markAlive('a')
    heartbeats.markSilent('a', 1)
    expect(seen).toEqual(['a', 'a'])
    expect(failures).toHaveLength(2)
  })
})

function testQueue(sync: (key: string) => Promise<void>) {
  const clock = new SimulatedClock(0)
  const failures: string[] = []
  const queue = new Queue({
    name: 'test',
    clock,
    due: new DueTimes(clock, log),
    log: { error: (message) => failures.push(message) },
    work: new Work(),
    defer: (run) => void Promise.resolve().then(run),
    causes: new ControllerCauses(new WriteCauses()),
    sync,
  })
  return { clock, queue, failures }
}

describe('a work queue', () => {
  it('processes a key once, however often it was added before', async () => {
    const seen: string[] = []
    const { queue } = testQueue(async (key) => void seen.push(key))
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key)
    expect(seen).toEqual([])
    queue.start()
    await settled()
    expect(seen).toEqual(['a', 'b'])
  })

  it('processes again a key that was added while it was processed', async () => {
    let looks = 0
    const { queue } = testQueue(async () => {
      if (++looks === 1) queue.add('a')
      await Promise.resolve()
    })
    queue.start()
    queue.add('a')
    await settled()
    expect(looks).toBe(2)
  })

  it('retries failures after 5 ms, 10 ms, 20 ms … until success', async () => {
    const times: number[] = []
    const { queue, clock, failures } = testQueue(async () => {
      times.push(clock.now())
      if (times.length < 4) throw conflict({ group: '', resource: 'pods' }, 'a', 'modified')
    })
    queue.start()
    queue.add('a')
    for (let i = 0; i < 100; i++) {
      await settled()
      clock.advance(1)
    }
    expect(times).toEqual([0, 5, 15, 35])
    expect(failures).toEqual([])
  })

  it('retries a failure after its backoff, whatever time the sync has planned itself', async () => {
    const times: number[] = []
    const { queue, clock } = testQueue(async () => {
      times.push(clock.now())
      queue.addAfter('a', 1)
      throw conflict({ resource: 'widgets', group: '' }, 'a', 'changed')
    })
    queue.start()
    queue.add('a')
    await settled()
    for (let now = 0; now < 40; now++) {
      clock.advance(1)
      await settled()
    }
    expect(times).toEqual([0, 5, 15, 35])
  })

  it('reports an error that is not an API status: it is a bug', async () => {
    const { queue, failures } = testQueue(() => Promise.reject(new Error('oops')))
    queue.start()
    queue.add('a')
    await settled()
    expect(failures).toEqual(['test failed on a'])
  })

  it('keeps the earliest of several times for one key', async () => {
    const times: number[] = []
    const { queue, clock } = testQueue(async () => void times.push(clock.now()))
    queue.start()
    queue.addAfter('a', 50)
    queue.addAfter('a', 20)
    queue.addAfter('a', 80)
    for (let i = 0; i < 100; i += 10) {
      clock.advance(10)
      await settled()
    }
    expect(times).toEqual([20])
  })
})

describe('events', () => {
  const about = { kind: 'Pod', apiVersion: 'v1', namespace: 'shop', name: 'web', uid: '1' }

  function recording() {
    const clock = new SimulatedClock(Date.UTC(2026, 0, 1))
    const sent = {
      made: [] as string[],
      counts: [] as number[],
      names: new Set<string>(),
      reporters: [] as (string | undefined)[],
    }
    const client = {
      create: async (event: {
        message: string
        metadata: { name: string }
        reportingComponent?: string
      }) => {
        sent.made.push(event.message)
        sent.reporters.push(event.reportingComponent)
        sent.names.add(event.metadata.name)
        return event
      },
      strategicMerge: async (_: object, change: { count: number }) => {
        sent.counts.push(change.count)
        return {}
      },
    }
    let order = 0
    return {
      clock,
      sent,
      recorder: makeRecorder(
        client as unknown as Client,
        clock,
        { component: 'tester' },
        () => order++,
      ),
    }
  }

  it('that are equal are merged into one with a count', async () => {
    const { recorder, sent } = recording()
    for (let i = 0; i < 3; i++) recorder.event(about, 'Normal', 'Pulled', 'image is there')
    await settled()
    expect(sent.made).toEqual(['image is there'])
    expect(sent.counts).toEqual([2, 3])
  })

  it('of one instant have distinct names', async () => {
    const { recorder, sent } = recording()
    recorder.event(about, 'Normal', 'A', 'a')
    recorder.event(about, 'Normal', 'B', 'b')
    await settled()
    expect(sent.names.size).toBe(2)
  })

  it('that are similar are aggregated from the tenth on', async () => {
    const { recorder, sent } = recording()
    for (let i = 1; i <= 12; i++) recorder.event(about, 'Normal', 'Created', `pod ${i}`)
    await settled()
    expect(sent.made).toHaveLength(10)
    expect(sent.made.at(-1)).toBe('(combined from similar events): pod 10')
    expect(sent.reporters.slice(-2)).toEqual(['tester', undefined])
    expect(sent.counts).toEqual([2, 3])
  })

  it('about one object are limited to a burst of 25, then one every five minutes', async () => {
    const { recorder, sent, clock } = recording()
    for (let i = 0; i < 40; i++) recorder.event(about, 'Warning', 'BackOff', 'again')
    await settled()
    expect(sent.made.length + sent.counts.length).toBe(25)
    clock.advance(300_000)
    recorder.event(about, 'Warning', 'BackOff', 'again')
    recorder.event(about, 'Warning', 'BackOff', 'again')
    await settled()
    expect(sent.made.length + sent.counts.length).toBe(26)
    // Dropped events still count.
    expect(sent.counts.at(-1)).toBe(41)
  })

  it('that have expired are recreated with their name, first timestamp and count', async () => {
    const made: { metadata: { name: string }; count: number; firstTimestamp: string }[] = []
    const clock = new SimulatedClock(Date.UTC(2026, 0, 1))
    const client = {
      create: async (event: (typeof made)[number]) => void made.push(event),
      strategicMerge: async () => {
        throw new ApiError({
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: '',
          reason: 'NotFound',
          code: 404,
        })
      },
    }
    let order = 0
    const recorder = makeRecorder(
      client as unknown as Client,
      clock,
      { component: 'tester' },
      () => order++,
    )
    recorder.event(about, 'Normal', 'Pulled', 'image is there')
    await settled()
    clock.advance(7_200_000)
    recorder.event(about, 'Normal', 'Pulled', 'image is there')
    await settled()
    expect(made.map(({ count }) => count)).toEqual([1, 2])
    expect(made[1]).toMatchObject({
      metadata: made[0]?.metadata,
      firstTimestamp: '2026-01-01T00:00:00Z',
    })
  })
})
