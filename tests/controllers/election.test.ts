import type { Lease } from 'kubernetes-types/coordination/v1'
import { expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { type ApiServer, createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Storage } from '../../src/engine/storage/storage'
import { kubeObject } from '../support/json-objects'
import { TEST_RELEASE } from '../support/release'

/** The store that both engines share. */
const shared = (kept: Storage): Storage =>
  new Proxy(kept, {
    get(target, name) {
      if (name === 'close') return async () => undefined
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })

async function engines(
  ...names: string[]
): Promise<{ clock: SimulatedClock; servers: Map<string, ApiServer>; settle(): Promise<void> }> {
  const clock = new SimulatedClock(Date.UTC(2026, 0, 1))
  const kept = createMemoryStorage({ freeze: true })
  const servers = new Map<string, ApiServer>()
  for (const [i, name] of names.entries()) {
    const server = createApiServer({
      release: TEST_RELEASE,
      clock,
      random: seededRandom(i),
      log: { error: (message, cause) => expect.fail(`${message}: ${cause}`) },
      storage: shared(kept),
      controllers: ['*'],
      electionIdentity: name,
      tokens: 'admin-token,admin,admin,"system:masters"\n',
    })
    servers.set(name, server)
    await server.fetch(new Request('http://x/readyz'))
  }
  const settle = async () => {
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
  }
  await settle()
  return { clock, servers, settle }
}

async function lease(server: ApiServer | undefined): Promise<Lease['spec']> {
  const stored = await server?.storage.get('/registry/leases/kube-system/kube-controller-manager')
  return (stored?.object as unknown as Lease | undefined)?.spec
}

it('the leader holds and renews the lease; the other waits', async () => {
  const { clock, servers, settle } = await engines('one', 'other')
  const first = await lease(servers.get('one'))
  expect(first).toMatchObject({
    holderIdentity: 'one',
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
  })
  for (let i = 0; i < 30; i++) {
    clock.advance(1000)
    await settle()
  }
  const later = await lease(servers.get('one'))
  expect(later).toMatchObject({
    holderIdentity: 'one',
    acquireTime: first?.acquireTime,
    leaseTransitions: 0,
  })
  expect(
    Date.parse(later?.renewTime ?? '') - Date.parse(first?.renewTime ?? ''),
  ).toBeGreaterThanOrEqual(26_000)
})

it('is released on a graceful shutdown', async () => {
  const { clock, servers, settle } = await engines('one', 'other')
  await servers.get('one')?.close()
  clock.advance(2_100)
  await settle()
  expect(await lease(servers.get('other'))).toMatchObject({
    holderIdentity: 'other',
    leaseTransitions: 1,
  })
})

it('expires when its holder stops renewing it, and not before', async () => {
  const { clock, servers, settle } = await engines('one', 'other')
  const [one, other] = [servers.get('one'), servers.get('other')]
  // Simulates a crash: no renewal and no release.
  const stored = await other?.storage.get('/registry/leases/kube-system/kube-controller-manager')
  await one?.close()
  const object = kubeObject(structuredClone(stored?.object ?? {}))
  await other?.storage.transaction([], [{ type: 'put', key: stored?.key ?? '', object }])
  clock.advance(2_100)
  await settle()
  clock.advance(12_000)
  await settle()
  expect(await lease(other)).toMatchObject({ holderIdentity: 'one' })
  clock.advance(4_000)
  await settle()
  expect(await lease(other)).toMatchObject({ holderIdentity: 'other', leaseTransitions: 1 })
})

it('controllers run only at the leader', async () => {
  const { clock, servers, settle } = await engines('one', 'other')
  const seen: string[] = []
  for (const [name, server] of servers)
    server.onTrace(({ inside, attributes }) => {
      if (inside && attributes?.resource !== 'leases') seen.push(name)
    })
  const body = JSON.stringify({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'new' } })
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }
  await servers
    .get('other')
    ?.fetch(new Request('http://x/api/v1/namespaces', { method: 'POST', headers, body }))
  for (let i = 0; i < 5; i++) {
    clock.advance(1000)
    await settle()
  }
  expect(new Set(seen)).toEqual(new Set(['one']))
})
