/**
 * The clock of the cluster can be paused, advance to the next due time, or run fast; timers fire at
 * their exact time.
 */
import { describe, expect, it } from 'vitest'
import { type Clock, SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import type { ApiServer } from '../../src/engine/server/server'
import { ClusterClock } from '../../src/engine/time/cluster-clock'
import { deployment } from '../support/cluster'
import { sendRequest, testServer } from '../support/server'

const BEGIN = Date.UTC(2026, 0, 1)

describe('the clock of the cluster', () => {
  it('runs at the configured speed', () => {
    const real = new SimulatedClock(BEGIN)
    const clock = new ClusterClock(real, { rate: 100 })
    real.advance(1000)
    expect(clock.now() - BEGIN).toBe(100_000)
    clock.setRate(0)
    real.advance(1000)
    expect(clock.now() - BEGIN).toBe(100_000)
    clock.setRate(1)
    real.advance(1000)
    expect(clock.now() - BEGIN).toBe(101_000)
  })

  it('continues when the machine clock is set back, and fires due timers', () => {
    let real = BEGIN
    let wake: (() => void) | undefined
    const after = (_: number, run: () => void) => {
      wake = run
      return () => undefined
    }
    const clock = new ClusterClock({ now: () => real, after })
    real += 5_000
    expect(clock.now() - BEGIN).toBe(5_000)
    const rang: number[] = []
    clock.after(10_000, () => rang.push(clock.now() - BEGIN))
    real -= 3_600_000
    expect(clock.now() - BEGIN).toBe(5_000)
    real += 10_000
    wake?.()
    expect(rang).toEqual([15_000])
  })

  it('fires each timer at its exact time, whatever the resolution of real time', () => {
    const real = new SimulatedClock(BEGIN)
    const clock = new ClusterClock(real, { rate: 1000 })
    const rang: number[] = []
    for (const milliseconds of [1500, 250, 100_000])
      clock.after(milliseconds, () => rang.push(clock.now() - BEGIN))
    real.advance(200)
    expect(rang).toEqual([250, 1500, 100_000])
  })

  it('does not advance while work is pending', () => {
    const real = new SimulatedClock(BEGIN)
    const clock = new ClusterClock(real, { rate: 1000 })
    const rang: number[] = []
    clock.after(1000, () => {
      rang.push(clock.now() - BEGIN)
      clock.hold()
    })
    clock.after(2000, () => rang.push(clock.now() - BEGIN))
    real.advance(60)
    expect(rang).toEqual([1000])
    expect(clock.now() - BEGIN).toBe(1000)
    clock.release()
    real.advance(60)
    expect(rang).toEqual([1000, 2000])
  })

  it('sets no timer while nothing is due or while it is paused', () => {
    const real = new SimulatedClock(BEGIN)
    const clock = new ClusterClock(real, { rate: 10 })
    expect(real.nextDue()).toBeUndefined()
    const callOff = clock.after(1000, () => {})
    expect(real.nextDue()).toBe(BEGIN + 100)
    clock.setRate(0)
    expect(real.nextDue()).toBeUndefined()
    callOff()
    expect(clock.state()).toEqual({ time: BEGIN, rate: 0, next: undefined })
  })

  it('rejects time that goes backwards', () => {
    expect(() => new ClusterClock(new SimulatedClock()).setRate(-1)).toThrow(RangeError)
  })
})

/** The shortest real time, for a clock that tests advance. */
const immediate: Clock = {
  now: () => BEGIN,
  after(milliseconds, run) {
    if (milliseconds > 0) return () => {}
    const timer = setImmediate(run)
    return () => clearImmediate(timer)
  },
}

interface Stepped {
  server: ApiServer
  clock: ClusterClock
  history: string[]
}

async function stepped(seed: number): Promise<Stepped> {
  const clock = new ClusterClock(immediate, { time: BEGIN, rate: 0 })
  const server = testServer({
    clock,
    timers: immediate,
    working: (working) => (working ? clock.hold() : clock.release()),
    random: seededRandom(seed),
    controllers: ['*'],
    scheduler: true,
    nodes: 3,
  })
  const history: string[] = []
  server.storage.watch('/registry/', server.storage.currentRevision(), {
    event: ({ type, revision, current }) =>
      history.push(`${revision} ${type} ${JSON.stringify(current.object)}`),
    end() {},
  })
  await sendRequest(server, { path: '/readyz' })
  await clock.pass(1000)
  return { server, clock, history }
}

describe('a cluster with a paused clock', () => {
  it('runs only work without delay, then one due time after another', async () => {
    const { server, clock } = await stepped(1)
    const path = '/apis/apps/v1/namespaces/default/deployments'
    await sendRequest(server, { method: 'POST', path, body: deployment('web', 2) })
    await clock.pass(0)
    const phases = async () =>
      (await sendRequest(server, { path: '/api/v1/namespaces/default/pods' })).json.items.map(
        (pod: { status: { phase: string } }) => pod.status.phase,
      )
    expect(await phases()).toEqual(['Pending', 'Pending'])
    const before = clock.now()
    await clock.step()
    expect(clock.now()).toBeGreaterThan(before)
    expect(await phases()).toEqual(['Running', 'Running'])
    await server.close()
  })

  it('still ends requests that time out', async () => {
    const timers: Clock = { ...immediate, after: (_, run) => immediate.after(0, run) }
    const server = testServer({
      clock: new ClusterClock(immediate, { rate: 0 }),
      timers,
      featureGates: { WatchList: true },
    })
    const path =
      '/api/v1/namespaces?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&resourceVersion=999999'
    expect((await sendRequest(server, { path })).status).toBe(504)
    await server.close()
  })
})

describe('two runs with the same seed, clock and requests', () => {
  async function history(seed: number): Promise<string[]> {
    const { server, clock, history: reported } = await stepped(seed)
    const apps = '/apis/apps/v1/namespaces/default/deployments'
    const merge = (path: string, body: object) =>
      sendRequest(server, {
        method: 'PATCH',
        path,
        body,
        headers: { 'content-type': 'application/merge-patch+json' },
      })
    await sendRequest(server, { method: 'POST', path: apps, body: deployment('web', 5) })
    await clock.pass(10_000)
    await merge(`${apps}/web`, {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } },
    })
    await clock.pass(3000)
    await merge('/api/v1/nodes/node-2', {
      metadata: { annotations: { 'simulation.kubetab/state': 'failed' } },
    })
    await clock.pass(600_000)
    await server.close()
    return reported
  }

  it('have the same history, event for event', { timeout: 60_000 }, async () => {
    const first = await history(7)
    expect(await history(7)).toEqual(first)
    expect(first.length).toBeGreaterThan(100)
    expect(await history(8)).not.toEqual(first)
  })
})
