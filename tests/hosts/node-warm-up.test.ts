import { describe, expect, it } from 'vitest'
import { systemEnvironment } from '../../src/hosts/node/system'
import { ClientActivity } from '../../src/hosts/node/warm-up/client-activity'
import { runWarmUp } from '../../src/hosts/node/warm-up/warm-up'

describe('the warm-up of the Node host', () => {
  it.each([
    ['alone', ['off']],
    ['with controllers', ['*']],
  ])('has every request answered, and none rejected, %s', async (_how, controllers) => {
    const answers = await runWarmUp({
      environment: systemEnvironment,
      controllers: { controllers, scheduler: false, nodes: 0 },
      rounds: 14,
      quiet: async () => {},
    })
    expect([...answers.keys()].sort()).toEqual([200, 201])
    // From the thirteenth round on two more, which delete what an earlier one has left; every tenth lists.
    expect([...answers.values()].reduce((a, b) => a + b)).toBe(2 + 14 * 35 + 2 * 2 + 5)
  })

  it('asks before every request whether clients are being served', async () => {
    let asked = 0
    const answers = await runWarmUp({
      environment: systemEnvironment,
      controllers: { controllers: ['off'], scheduler: false, nodes: 0 },
      rounds: 1,
      quiet: async () => {
        asked++
      },
    })
    expect(asked).toBe([...answers.values()].reduce((a, b) => a + b))
  })

  it('waits until no client has requested a while', async () => {
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
