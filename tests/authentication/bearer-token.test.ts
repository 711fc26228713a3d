import { describe, expect, it } from 'vitest'
import { bearerTokens, tokensForServer } from '../../src/engine/authentication/bearer-token'

const alice = { name: 'alice', groups: [] }
const method = tokensForServer(['api', 'vault'], (token) =>
  token === 'alice-token' ? alice : undefined,
)

async function authenticate(authorization: string | undefined, audiences = ['api', 'vault']) {
  const request = {
    method: 'GET',
    target: '/',
    header: (name: string) => (name === 'authorization' ? authorization : undefined),
    headerNames: () => [],
    body: async () => new Uint8Array(),
  }
  const warnings: string[] = []
  const outcome = await bearerTokens([method]).authenticate(request, {
    audiences,
    annotations: {},
    warnings,
  })
  return { outcome, warnings }
}

describe('the Authorization header', () => {
  it.each([
    'Bearer alice-token',
    'bearer alice-token',
    'BEARER alice-token',
    ' Bearer alice-token ',
    'Bearer alice-token trailing words',
  ])('carries a token: %s', async (header) => {
    expect((await authenticate(header)).outcome).toMatchObject({ user: alice })
  })

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'alice-token',
    'Token alice-token',
    'Basic YWxpY2U6',
    'Bearer: alice-token',
  ])('carries no token: %s', async (header) => {
    expect(await authenticate(header)).toEqual({ outcome: undefined, warnings: [] })
  })

  it('carries no token after two spaces, with a warning', async () => {
    expect(await authenticate('Bearer  alice-token')).toEqual({
      outcome: undefined,
      warnings: [
        'the provided Authorization header contains extra space before the bearer token, and is ignored',
      ],
    })
  })

  it.each(['Bearer alice-token,', 'Bearer "alice-token"', 'Bearer ALICE-TOKEN'])(
    'carries an unknown token: %s',
    async (header) => {
      expect((await authenticate(header)).outcome).toEqual({ errors: ['invalid bearer token'] })
    },
  )
})

describe('a token without audiences', () => {
  it('is valid for each requested API audience, in the order of --api-audiences', async () => {
    expect((await authenticate('Bearer alice-token', ['x', 'vault', 'api'])).outcome).toMatchObject(
      { audiences: ['api', 'vault'] },
    )
  })

  it('is invalid for other audiences', async () => {
    expect((await authenticate('Bearer alice-token', ['x'])).outcome).toEqual({
      errors: ['invalid bearer token'],
    })
  })
})
