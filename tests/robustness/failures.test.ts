/**
 * What fails inside is one's own: a request gets 500 and reported, a controller tries again later, and neither stops
 * the clock, another request or another controller.
 */
import { describe, expect, it } from 'vitest'
import { DueTimes } from '../../src/engine/controllers/runtime/due-times'
import { SimulatedClock } from '../../src/engine/core/environment'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Storage } from '../../src/engine/storage/storage'
import { ClusterClock } from '../../src/engine/time/cluster-clock'
import { retryUntilDone } from '../../src/engine/time/retries'
import { RetryQueue } from '../../src/engine/time/retry-queue'
import { Work } from '../../src/engine/time/work'
import { deployment, testCluster } from '../support/cluster'
import { configMap, sendRequest, testServer } from '../support/server'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const REPLICA_SETS = '/apis/apps/v1/namespaces/default/replicasets'
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The same store, some of whose methods fail on request. */
function failing(methods: (storage: Storage) => Partial<Storage>): Storage {
  const storage = createMemoryStorage()
  const changed = methods(storage) as Record<string | symbol, unknown>
  return new Proxy(storage, {
    get(target, name) {
      const value = changed[name] ?? (target as unknown as Record<string | symbol, unknown>)[name]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function reporting() {
  const reports: string[] = []
  const working: boolean[] = []
  const log = { error: (message: string, cause: unknown) => reports.push(`${message}: ${cause}`) }
  return {
    reports,
    log,
    working,
    options: { log, working: (now: boolean) => void working.push(now) },
  }
}

describe('a request', () => {
  it.each<[string, (storage: Storage, isBroken: () => boolean) => Partial<Storage>]>([
    [
      'whose write the store throws at',
      (storage, isBroken) => ({
        transaction: (...given) =>
          isBroken() ? Promise.reject(new Error('disk on fire')) : storage.transaction(...given),
      }),
    ],
    [
      'whose write the store throws at before it promises anything',
      (storage, isBroken) => ({
        transaction: (...given) => {
          if (isBroken()) throw new Error('disk on fire')
          return storage.transaction(...given)
        },
      }),
    ],
  ])('%s gets 500 and reported, and the next one is served', async (_, methods) => {
    let isBroken = false
    const { reports, working, options } = reporting()
    const server = testServer({
      ...options,
      storage: failing((storage) => methods(storage, () => isBroken)),
    })
    await sendRequest(server, { path: '/readyz' })
    isBroken = true
    const { status, json } = await sendRequest(server, {
      method: 'POST',
      path: CONFIG_MAPS,
      body: configMap('a'),
    })
    isBroken = false
    expect(status).toBe(500)
    expect(json).toMatchObject({
      kind: 'Status',
      status: 'Failure',
      reason: 'InternalError',
      code: 500,
    })
    expect(reports).toEqual([`POST ${CONFIG_MAPS} failed inside the engine: Error: disk on fire`])
    expect(
      (await sendRequest(server, { method: 'POST', path: CONFIG_MAPS, body: configMap('b') }))
        .status,
    ).toBe(201)
    expect(working.at(-1)).toBe(false)
  })

  it('whose checks throw gets 500 and reported, and others go on next to it', async () => {
    let isBroken = false
    const { reports, working, options } = reporting()
    const poisoned = (object: object) =>
      new Proxy(object, {
        get(target, name) {
          if (name === 'data') throw new TypeError('a strategy does not expect this')
          return Reflect.get(target, name)
        },
      })
    const storage = failing((whole) => ({
      snapshot: () => undefined,
      async get(key, options) {
        const stored = await whole.get(key, options)
        return isBroken && stored && key.endsWith('/a')
          ? ({ ...stored, object: poisoned(stored.object) } as typeof stored)
          : stored
      },
    }))
    const server = testServer({ ...options, storage })
    for (const name of ['a', 'b'])
      await sendRequest(server, { method: 'POST', path: CONFIG_MAPS, body: configMap(name) })
    isBroken = true
    const put = (name: string) =>
      sendRequest(server, {
        method: 'PUT',
        path: `${CONFIG_MAPS}/${name}`,
        body: configMap(name, { k: 'v' }),
      })
    const [a, b] = await Promise.all([put('a'), put('b')])
    expect([a.status, a.json.reason, b.status]).toEqual([500, 'InternalError', 200])
    expect(reports.join('\n')).toContain(
      'failed inside the engine: TypeError: a strategy does not expect this',
    )
    expect(working.at(-1)).toBe(false)
  })

  it('suffers from no one who is notified of it', async () => {
    const { reports, working, options } = reporting()
    const server = testServer(options)
    const reported: string[] = []
    server.onTrace(() => {
      throw new Error('a listener failed')
    })
    server.onTrace((trace) => void reported.push(trace.method))
    expect((await sendRequest(server, { path: '/readyz' })).status).toBe(200)
    expect(reported).toEqual(['GET'])
    expect(reports).toEqual(['an observer of requests failed: Error: a listener failed'])
    expect(working.at(-1)).toBe(false)
  })

  it('suffers from no one who follows the store, nor do other followers', async () => {
    const { reports, options } = reporting()
    const storage = createMemoryStorage()
    const server = testServer({ ...options, storage })
    await sendRequest(server, { path: '/readyz' })
    const seen: string[] = []
    const end = () => {}
    const fail = () => {
      throw new Error('a follower failed')
    }
    storage.watch('/registry/configmaps/', storage.currentRevision(), { event: fail, end })
    storage.watch('/registry/configmaps/', storage.currentRevision(), {
      event: ({ key }) => void seen.push(key),
      end,
    })
    expect(
      (await sendRequest(server, { method: 'POST', path: CONFIG_MAPS, body: configMap('a') }))
        .status,
    ).toBe(201)
    expect(seen).toEqual(['/registry/configmaps/default/a'])
    expect(reports).toEqual([
      'a follower of the store failed on an event: Error: a follower failed',
    ])
  })
})

describe('controllers', () => {
  it('begin though the store fails at first, as soon as it works', async () => {
    let failures = 0
    const { reports, log } = reporting()
    const storage = failing((whole) => ({
      range: (prefix, options) =>
        prefix === '/registry/replicasets/' && ++failures <= 3
          ? Promise.reject(new Error('not yet'))
          : whole.range(prefix, options),
    }))
    const cluster = await testCluster({ storage, log })
    await cluster.sendRequest({ method: 'POST', path: DEPLOYMENTS, body: deployment('web', 1) })
    await cluster.pass(0.6)
    expect((await cluster.sendRequest({ path: REPLICA_SETS })).json.items).toEqual([])
    await cluster.pass(5)
    expect((await cluster.sendRequest({ path: REPLICA_SETS })).json.items).toHaveLength(1)
    expect(reports.filter((report) => report.includes('not yet')).length).toBeGreaterThan(1)
    await cluster.close()
  })

  it('go on with others when one of them fails on an object', async () => {
    const { reports, log } = reporting()
    const storage = failing((whole) => ({
      transaction: (guards, changes, options) =>
        changes.some(({ key }) => key.startsWith('/registry/replicasets/default/bad'))
          ? Promise.reject(new Error('never for this one'))
          : whole.transaction(guards, changes, options),
    }))
    const cluster = await testCluster({ storage, log })
    for (const name of ['bad', 'good'])
      await cluster.sendRequest({ method: 'POST', path: DEPLOYMENTS, body: deployment(name, 1) })
    await cluster.pass(1)
    const { items } = (await cluster.sendRequest({ path: REPLICA_SETS })).json
    expect(
      items.map(({ metadata }: { metadata: { name: string } }) => metadata.name.split('-')[0]),
    ).toEqual(['good'])
    const before = reports.length
    expect(before).toBeGreaterThan(3)
    // 5 ms, 10 ms … some eight times in a second, and ever more seldom then.
    expect(before).toBeLessThan(20)
    await cluster.pass(60)
    expect(reports.length).toBeLessThan(before + 20)
    await cluster.close()
  })
})

describe('work of the engine', () => {
  it('is over when it fails, so that time goes on', () => {
    const working: boolean[] = []
    const work = new Work((now) => void working.push(now))
    const later: (() => void)[] = []
    work.deferring((run) => void later.push(run))(() => {
      throw new Error('oops')
    })
    expect(() => later[0]?.()).toThrow('oops')
    expect(working).toEqual([true, false])
  })

  it('falls due though something before it failed', () => {
    const clock = new SimulatedClock(0)
    const { reports, log } = reporting()
    const due = new DueTimes(clock, log)
    const rang: number[] = []
    due.at(10, () => {
      throw new Error('oops')
    })
    for (const at of [10, 20]) due.at(at, () => void rang.push(at))
    clock.advance(100)
    expect(rang).toEqual([10, 20])
    expect(reports).toEqual(['something that was due failed: Error: oops'])
  })

  it.each([1, 60])('leaves a clock going %i times as fast, though what was due failed', (rate) => {
    const real = new SimulatedClock(0)
    const clock = new ClusterClock(real, { rate })
    const rang: number[] = []
    clock.after(1000, () => {
      throw new Error('oops')
    })
    for (const wait of [1000, 2000]) clock.after(wait, () => void rang.push(wait))
    expect(() => real.advance(1000)).toThrow('oops')
    real.advance(5000)
    expect(rang).toEqual([1000, 2000])
  })

  it('is tried again after a while that doubles, up to half a minute', async () => {
    const clock = new SimulatedClock(0)
    const { reports, log } = reporting()
    const tried: number[] = []
    const attempt = async () => {
      tried.push(clock.now())
      if (tried.length < 12) throw new Error('oops')
    }
    const done = retryUntilDone({ wallClock: clock, log }, 'it', attempt, () => false)
    for (let due: number | undefined = 0; due !== undefined; due = clock.nextDue()) {
      clock.advance(due - clock.now())
      await settled()
    }
    await done
    expect(tried.slice(0, 4)).toEqual([0, 100, 300, 700])
    expect((tried[11] ?? 0) - (tried[10] ?? 0)).toBe(30_000)
    expect(reports).toHaveLength(11)
  })

  it('is settled later when it fails, and others meanwhile', async () => {
    const clock = new SimulatedClock(0)
    const { reports, log } = reporting()
    const looks: string[] = []
    const settling = new RetryQueue({ wallClock: clock, log }, async (key) => {
      looks.push(key)
      if (key === 'a' && looks.length < 3) throw new Error('oops')
    })
    for (const key of ['a', 'b']) settling.add(key)
    await settled()
    expect(looks).toEqual(['a', 'b'])
    clock.advance(100)
    await settled()
    clock.advance(10_000)
    expect(looks).toEqual(['a', 'b', 'a'])
    expect(reports).toEqual(['a could not be settled: Error: oops'])
  })
})
