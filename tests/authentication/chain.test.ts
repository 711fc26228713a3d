import { describe, expect, it } from 'vitest'
import {
  type Authentication,
  type Authenticator,
  authenticatorChain,
} from '../../src/engine/authentication/authenticator'
import type { ApiRequest } from '../../src/engine/http/messages'

const REQUEST: ApiRequest = {
  method: 'GET',
  target: '/api',
  header: () => undefined,
  headerNames: () => [],
  body: async () => new Uint8Array(),
}
const about = { audiences: ['here'], annotations: {}, warnings: [] }

const says = (response: Authentication | Promise<Authentication>): Authenticator => ({
  authenticate: () => response,
})
const is = (name: string, groups: string[] = []): Authentication => ({
  user: { name, groups },
  audiences: ['here'],
})
const never: Authenticator = { authenticate: () => expect.unreachable('it was asked') }

const who = async (
  methods: Authenticator[],
  anonymous: Parameters<typeof authenticatorChain>[1] = { enabled: true },
) => authenticatorChain(methods, anonymous).authenticate(REQUEST, about)

describe('the authenticator chain', () => {
  it('stops at the first authenticator that identifies the user', async () => {
    expect(await who([says(undefined), says(is('jane')), never])).toMatchObject({
      user: { name: 'jane' },
    })
    expect(
      await who([says(Promise.resolve(undefined)), says(Promise.resolve(is('jane'))), never]),
    ).toMatchObject({
      user: { name: 'jane' },
    })
  })

  it('continues after an authenticator fails', async () => {
    expect(await who([says({ errors: ['not mine'] }), says(is('jane'))])).toMatchObject({
      user: { name: 'jane' },
    })
  })

  it('rejects with all errors, even where anonymous requests are allowed', async () => {
    const rejected = await who([
      says({ errors: ['expired'] }),
      says(Promise.resolve({ errors: ['unknown'] })),
    ])
    expect(rejected).toEqual({ errors: ['expired', 'unknown'] })
  })
})

describe('an authenticated user', () => {
  it('is a member of system:authenticated, once', async () => {
    expect(await who([says(is('jane', ['dev']))])).toMatchObject({
      user: { groups: ['dev', 'system:authenticated'] },
    })
    expect(await who([says(is('jane', ['system:authenticated']))])).toMatchObject({
      user: { groups: ['system:authenticated'] },
    })
  })
})

describe('a request without credentials', () => {
  it('is anonymous where that is enabled', async () => {
    expect(await who([says(undefined)])).toEqual({
      user: { name: 'system:anonymous', groups: ['system:unauthenticated'] },
      audiences: ['here'],
    })
    expect(await who([says(undefined)], { enabled: false })).toBeUndefined()
  })

  it('may be anonymous on certain paths only', async () => {
    expect(await who([], { enabled: true, paths: ['/api'] })).toMatchObject({
      user: { name: 'system:anonymous' },
    })
    expect(await who([], { enabled: true, paths: ['/livez'] })).toBeUndefined()
  })
})
