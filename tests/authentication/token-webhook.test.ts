import { describe, expect, it } from 'vitest'
import { tokenWebhook } from '../../src/engine/authentication/token-webhook'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { OutboundError, type OutboundRequest } from '../../src/engine/core/outbound'

const MINUTE = 60_000

function webhookReturning(
  response: (request: OutboundRequest) => { status?: number; body: unknown },
) {
  const clock = new SimulatedClock()
  const requested: OutboundRequest[] = []
  const outbound = {
    async post(request: OutboundRequest) {
      requested.push(request)
      const { status = 200, body } = response(request)
      return {
        status,
        contentType: 'application/json',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }
    },
  }
  const endpoint = {
    url: 'https://tokens.example.com/review',
    headers: { authorization: 'Bearer mine' },
  }
  const method = tokenWebhook({ endpoint, version: 'v1', cacheTTL: 2 * MINUTE }, ['api'], {
    clock,
    random: seededRandom(1),
    outbound,
  })
  return {
    clock,
    requested,
    authenticate: (token: string, audiences = ['api']) =>
      method.authenticate(token, { audiences, annotations: {}, warnings: [] }),
  }
}

const review = (status: object) => ({
  kind: 'TokenReview',
  apiVersion: 'authentication.k8s.io/v1',
  status,
})
const JANE = {
  authenticated: true,
  user: { username: 'jane', uid: 'u1', groups: ['dev'], extra: { scope: ['a'] } },
}

describe('the token webhook', () => {
  it('receives token and audiences, and returns the user', async () => {
    const { requested, authenticate } = webhookReturning(() => ({ body: review(JANE) }))
    expect(await authenticate('t1')).toEqual({
      user: { name: 'jane', uid: 'u1', groups: ['dev'], extra: { scope: ['a'] } },
      audiences: ['api'],
    })
    expect(requested[0]).toMatchObject({
      url: 'https://tokens.example.com/review?timeout=30s',
      headers: { authorization: 'Bearer mine' },
    })
    expect(JSON.parse(requested[0]?.body ?? '')).toMatchObject({
      kind: 'TokenReview',
      spec: { token: 't1', audiences: ['api'] },
    })
  })

  it('is cached for known and unknown tokens', async () => {
    const { requested, authenticate, clock } = webhookReturning(({ body }) => ({
      body: review(body.includes('"t1"') ? JANE : {}),
    }))
    for (const token of ['t1', 't1', 't2', 't2']) await authenticate(token)
    expect(requested).toHaveLength(2)
    clock.advance(2 * MINUTE)
    await authenticate('t1')
    expect(requested).toHaveLength(3)
  })

  it('may accept some of the audiences', async () => {
    const { authenticate } = webhookReturning(() => ({
      body: review({ ...JANE, audiences: ['vault'] }),
    }))
    expect(await authenticate('t1', ['api', 'vault'])).toMatchObject({ audiences: ['vault'] })
    expect(await authenticate('t1', ['api'])).toBeUndefined()
  })

  it('may return an error, which is not cached', async () => {
    const { requested, authenticate } = webhookReturning(() => ({
      body: review({ error: 'too old' }),
    }))
    expect(await authenticate('t1')).toEqual({ errors: ['too old'] })
    await authenticate('t1')
    expect(requested).toHaveLength(2)
  })

  it.each([
    ['is not a review', () => ({ body: '[]' }), /couldn't get version\/kind/],
    [
      'is of another version',
      () => ({ body: { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1beta1' } }),
      /unable to decode/,
    ],
    ['is a 403', () => ({ status: 403, body: 'no' }), /^no$/],
    [
      'is of the wrong type',
      () => ({
        body: {
          kind: 'TokenReview',
          apiVersion: 'authentication.k8s.io/v1',
          status: { authenticated: 'yes' },
        },
      }),
      /^json: cannot unmarshal string into Go struct field TokenReviewStatus.status.authenticated of type bool$/,
    ],
    [
      'has groups that are not strings',
      () => ({
        body: {
          kind: 'TokenReview',
          apiVersion: 'authentication.k8s.io/v1',
          status: { authenticated: true, user: { groups: [1] } },
        },
      }),
      /^json: cannot unmarshal number into Go struct field UserInfo.status.user.groups of type string$/,
    ],
  ])('rejects the token when its response %s', async (_, response, why) => {
    const { authenticate } = webhookReturning(response)
    expect(await authenticate('t1')).toEqual({ errors: [expect.stringMatching(why)] })
  })

  it('rejects the token when it is unreachable', async () => {
    const { authenticate } = webhookReturning(() => {
      throw new OutboundError('dial tcp 127.0.0.1:1: connect: connection refused')
    })
    expect(await authenticate('t1')).toEqual({
      errors: [
        'Post "https://tokens.example.com/review?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
      ],
    })
  })
})
