/**
 * For every controller: failures are retried with back-off, and block neither other controllers nor
 * requests.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CONTROLLERS } from '../../src/engine/controllers'
import { Informer } from '../../src/engine/controllers/runtime/informer'
import { Manager } from '../../src/engine/controllers/runtime/manager'
import type { Queue } from '../../src/engine/controllers/runtime/queue'
import { Cluster } from '../../src/engine/controllers/scheduler/cluster'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'
import { sendRequest, TOKENS } from '../support/server'

const SERVICE_ACCOUNTS = 'serviceaccount-controller'
const ROOT_CERTIFICATES = 'root-ca-certificate-publisher-controller'

afterEach(() => vi.restoreAllMocks())

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Broken {
  /** Milliseconds between the first attempt at the key and each retry. */
  attempts: number[]
  queues: Queue[]
  failures: string[]
  clock: SimulatedClock
  send: (path: string, body?: object) => Promise<number>
  close(): Promise<void>
}

/** A server on which one controller fails at every event and key, next to one that works. */
async function withBroken(name: string, witness: string): Promise<Broken> {
  const clock = new SimulatedClock()
  const [attempts, failures, queues]: [number[], string[], Queue[]] = [[], [], []]
  let running = ''
  for (const controller of CONTROLLERS) {
    const run = controller.run.bind(controller)
    vi.spyOn(controller, 'run').mockImplementation((manager) => {
      running = controller.name
      return run(manager)
    })
  }
  const { queue } = Manager.prototype
  vi.spyOn(Manager.prototype, 'queue').mockImplementation(function (this: Manager, of, sync) {
    if (running !== name) return queue.call(this, of, sync)
    const made = queue.call(this, of, async (key) => {
      if (key === 'default/broken') attempts.push(clock.now())
      throw new Error('out of order')
    })
    queues.push(made)
    return made
  })
  const { onChange } = Informer.prototype
  vi.spyOn(Informer.prototype, 'onChange').mockImplementation(function (
    this: Informer<unknown>,
    listener,
  ) {
    const isBroken = running === name
    onChange.call(this, (change) => {
      listener(change)
      if (isBroken) throw new Error('out of order')
    })
  })
  const server = createApiServer({
    release: TEST_RELEASE,
    clock,
    random: seededRandom(1),
    log: { error: (message) => failures.push(message) },
    storage: createMemoryStorage(),
    tokens: TOKENS,
    controllers: [name, witness],
  })
  const send = async (path: string, body?: object) => {
    const { status } = await sendRequest(server, body ? { method: 'POST', path, body } : { path })
    await settled()
    return status
  }
  await send('/readyz')
  await settled()
  return { attempts, queues, failures, clock, send, close: () => server.close() }
}

describe('the scheduler', () => {
  it('retries with back-off, and blocks nothing else', async () => {
    const clock = new SimulatedClock()
    const attempts: number[] = []
    const failures: string[] = []
    vi.spyOn(Cluster.prototype, 'all').mockImplementation(() => {
      attempts.push(clock.now())
      throw new Error('out of order')
    })
    const server = createApiServer({
      release: TEST_RELEASE,
      clock,
      random: seededRandom(1),
      log: { error: (message) => failures.push(message) },
      storage: createMemoryStorage(),
      tokens: TOKENS,
      controllers: [SERVICE_ACCOUNTS],
      scheduler: true,
    })
    const send = async (path: string, body?: object) => {
      const { status } = await sendRequest(server, body ? { method: 'POST', path, body } : { path })
      for (let turn = 0; turn < 20; turn++) await settled()
      return status
    }
    await send('/readyz')
    const spec = { containers: [{ name: 'c', image: 'i' }] }
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'broken' }, spec }
    expect(await send('/api/v1/namespaces/default/pods', pod)).toBe(201)
    const [begun = 0] = attempts
    for (let passed = 0; passed < 26_000; passed += 1000) {
      clock.advance(1000)
      for (let turn = 0; turn < 5; turn++) await settled()
    }
    expect(attempts.map((at) => at - begun)).toEqual([0, 1000, 3000, 7000, 15_000, 25_000])
    expect(failures).toEqual(attempts.map(() => 'scheduling default/broken failed'))

    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } }
    expect(await send('/api/v1/namespaces', namespace)).toBe(201)
    expect(await send('/api/v1/namespaces/other/serviceaccounts/default')).toBe(200)
    await server.close()
  })
})

describe.each(CONTROLLERS.map(({ name }) => name))('%s', (name) => {
  it('retries with back-off, and blocks nothing else', async () => {
    const witness = name === SERVICE_ACCOUNTS ? ROOT_CERTIFICATES : SERVICE_ACCOUNTS
    const { attempts, queues, failures, clock, send, close } = await withBroken(name, witness)
    expect(queues.length).toBeGreaterThan(0)
    const [queue] = queues
    const begun = clock.now()
    queue?.add('default/broken')
    await settled()
    for (let passed = 0; passed < 80; passed += 5) {
      clock.advance(5)
      await settled()
    }
    expect(attempts.map((at) => at - begun)).toEqual([0, 5, 15, 35, 75])
    expect(failures.length).toBeGreaterThanOrEqual(attempts.length)

    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } }
    expect(await send('/api/v1/namespaces', namespace)).toBe(201)
    for (let turn = 0; turn < 20; turn++) await settled()
    const made =
      witness === SERVICE_ACCOUNTS ? 'serviceaccounts/default' : 'configmaps/kube-root-ca.crt'
    expect(await send(`/api/v1/namespaces/other/${made}`)).toBe(200)
    await close()
  })
})
