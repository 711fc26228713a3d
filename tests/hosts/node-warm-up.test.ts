import { describe, expect, it } from 'vitest'
import { DEFAULT_RELEASE } from '../../src/engine/releases/release'
import { systemEnvironment } from '../../src/hosts/node/system'
import { ClientActivity } from '../../src/hosts/node/warm-up/client-activity'
import { runWarmUp } from '../../src/hosts/node/warm-up/warm-up'

describe('the warm-up of the Node host', () => {
  it.each([
    ['alone', ['off']],
    ['with controllers', ['*']],
  ])('succeeds for every request, %s', async (_how, controllers) => {
    const responses = await runWarmUp({
      environment: systemEnvironment,
      flags: { release: DEFAULT_RELEASE, controllers, scheduler: false, nodes: 0 },
      rounds: 14,
      quiet: async () => {},
    })
    expect([...responses.keys()].sort()).toEqual([200, 201])
    // From round 13 on, two more requests delete the objects of an earlier round. Every tenth round
    // lists.
    expect([...responses.values()].reduce((a, b) => a + b)).toBe(2 + 14 * 35 + 2 * 2 + 5)
  })

  it('checks before every request whether clients are active', async () => {
    let requested = 0
    const responses = await runWarmUp({
      environment: systemEnvironment,
      flags: { release: DEFAULT_RELEASE, controllers: ['off'], scheduler: false, nodes: 0 },
      rounds: 1,
      quiet: async () => {
        requested++
      },
    })
    expect(requested).toBe([...responses.values()].reduce((a, b) => a + b))
  })

  it('waits until clients are idle', async () => {
    const clients = new ClientActivity()
    const handle = clients.observed(async () => ({ status: 200, headers: {} }))
    await clients.quiet()
    await handle({
      method: 'GET',
      target: '/',
      header: () => undefined,
      headerNames: () => [],
      body: async () => new Uint8Array(),
    })
    const begun = performance.now()
    await clients.quiet()
    expect(performance.now() - begun).toBeGreaterThan(40)
  })
})
