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

const returning = (response: Authentication | Promise<Authentication>): Authenticator => ({
  authenticate: () => response,
})
const is = (name: string, groups: string[] = []): Authentication => ({
  user: { name, groups },
  audiences: ['here'],
})
const never: Authenticator = { authenticate: () => expect.unreachable('it was called') }

const who = async (
  methods: Authenticator[],
  anonymous: Parameters<typeof authenticatorChain>[1] = { enabled: true },
) => authenticatorChain(methods, anonymous).authenticate(REQUEST, about)

describe('the authenticator chain', () => {
  it('stops at the first authenticator that identifies the user', async () => {
    expect(await who([returning(undefined), returning(is('jane')), never])).toMatchObject({
      user: { name: 'jane' },
    })
    expect(
      await who([
        returning(Promise.resolve(undefined)),
        returning(Promise.resolve(is('jane'))),
        never,
      ]),
    ).toMatchObject({
      user: { name: 'jane' },
    })
  })

  it('continues after an authenticator fails', async () => {
    expect(await who([returning({ errors: ['not mine'] }), returning(is('jane'))])).toMatchObject({
      user: { name: 'jane' },
    })
  })

  it('rejects with all errors, even where anonymous requests are allowed', async () => {
    const rejected = await who([
      returning({ errors: ['expired'] }),
      returning(Promise.resolve({ errors: ['unknown'] })),
    ])
    expect(rejected).toEqual({ errors: ['expired', 'unknown'] })
  })
})

describe('an authenticated user', () => {
  it('is a member of system:authenticated, once', async () => {
    expect(await who([returning(is('jane', ['dev']))])).toMatchObject({
      user: { groups: ['dev', 'system:authenticated'] },
    })
    expect(await who([returning(is('jane', ['system:authenticated']))])).toMatchObject({
      user: { groups: ['system:authenticated'] },
    })
  })
})

describe('a request without credentials', () => {
  it('is anonymous where that is enabled', async () => {
    expect(await who([returning(undefined)])).toEqual({
      user: { name: 'system:anonymous', groups: ['system:unauthenticated'] },
      audiences: ['here'],
    })
    expect(await who([returning(undefined)], { enabled: false })).toBeUndefined()
  })

  it('may be anonymous on certain paths only', async () => {
    expect(await who([], { enabled: true, paths: ['/api'] })).toMatchObject({
      user: { name: 'system:anonymous' },
    })
    expect(await who([], { enabled: true, paths: ['/livez'] })).toBeUndefined()
  })
})
