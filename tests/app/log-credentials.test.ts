/** No credential gets into the request log. */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { asCurl, asFetch, asKubectl } from '../../src/app/features/copy-as/equivalents'
import {
  bodyWithoutCredentials,
  eventWithoutCredentials,
  HIDDEN,
  headersWithoutCredentials,
} from '../../src/app/state/log-credentials'
import { requestLog, useRequests } from '../../src/app/state/requests'
import { CERTIFICATE_HEADER } from '../../src/engine/core/names'

const SECRETS = '/api/v1/namespaces/default/secrets'
const TOKEN = '/api/v1/namespaces/default/serviceaccounts/builder/token'
const REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews'

describe('bodies', () => {
  it('keep the keys of a Secret and lose its values', () => {
    const body = JSON.stringify({
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { password: 'aHVudGVyMg==' },
      stringData: { key: 'hunter2' },
    })
    expect(JSON.parse(bodyWithoutCredentials(SECRETS, body))).toEqual({
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { password: HIDDEN },
      stringData: { key: HIDDEN },
    })
  })

  it('lose what kubectl applied last, which repeats the values', () => {
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"aHVudGVyMg=="}}',
      other: 'stays',
    }
    const shown = bodyWithoutCredentials(
      SECRETS,
      JSON.stringify({ items: [{ metadata: { annotations } }] }),
    )
    expect(shown).not.toContain('aHVudGVyMg==')
    expect(shown).toContain('stays')
  })

  it('lose every value of a JSON patch of a Secret', () => {
    const patch = [{ op: 'add', path: '/data/password', value: 'aHVudGVyMg==' }]
    expect(bodyWithoutCredentials(`${SECRETS}/a`, JSON.stringify(patch))).not.toContain(
      'aHVudGVyMg==',
    )
  })

  it('are hidden as a whole where they cannot be read', () => {
    expect(bodyWithoutCredentials(SECRETS, 'kind: Secret\nstringData: {key: hunter2}\n')).toBe(
      HIDDEN,
    )
  })

  it('omit the token of a service account, and one of a token review', () => {
    const given = JSON.stringify({
      kind: 'TokenRequest',
      status: { token: 'eyJ.e30.x', expirationTimestamp: '2030-01-01T00:00:00Z' },
    })
    expect(JSON.parse(bodyWithoutCredentials(TOKEN, given))).toEqual({
      kind: 'TokenRequest',
      status: { token: HIDDEN, expirationTimestamp: '2030-01-01T00:00:00Z' },
    })
    const review = JSON.stringify({
      kind: 'TokenReview',
      spec: { token: 'alice-token' },
      status: { user: { username: 'alice' } },
    })
    expect(bodyWithoutCredentials(REVIEWS, review)).not.toContain('alice-token')
    expect(bodyWithoutCredentials(REVIEWS, review)).toContain('alice')
  })

  it('of everything else stay as they are', () => {
    const text = '{"kind":"ConfigMap","data":{"token":"none"}}'
    expect(bodyWithoutCredentials('/api/v1/namespaces/default/configmaps', text)).toBe(text)
    expect(bodyWithoutCredentials('/healthz', 'ok')).toBe('ok')
  })

  it('never contain a value of a Secret, whatever surrounds it', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9]{12,20}$/).map((text) => `!${text}!`)
    const data = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value, { minKeys: 1 })
    const secret = fc.record({
      kind: fc.constant('Secret'),
      data,
      stringData: fc.option(data, { nil: undefined }),
      type: fc.constant('Opaque'),
    })
    const body = fc.oneof(
      secret.map((one) => ({ body: one, held: [one] })),
      fc
        .array(secret, { maxLength: 3 })
        .map((items) => ({ body: { kind: 'List', items }, held: items })),
    )
    fc.assert(
      fc.property(body, ({ body: object, held }) => {
        const shown = bodyWithoutCredentials(SECRETS, JSON.stringify(object))
        for (const one of held)
          for (const text of Object.values({ ...one.data, ...one.stringData }))
            expect(shown).not.toContain(text)
      }),
    )
  })
})

describe('audit events', () => {
  const event = (objectRef: object, requestObject: object) =>
    ({
      auditID: 'a',
      verb: 'create',
      stage: 'ResponseComplete',
      requestURI: SECRETS,
      level: 'Request',
      objectRef,
      requestObject,
    }) as never

  it('of Secrets have only keys, at every level of the policy', () => {
    const shown = eventWithoutCredentials(
      event(
        { resource: 'secrets', namespace: 'default' },
        { data: { 'token-secret': 'MDEyMw==' } },
      ),
    )
    expect(shown).toMatchObject({ requestObject: { data: { 'token-secret': HIDDEN } } })
    expect(shown).not.toHaveProperty('responseObject')
  })

  it('of other resources stay as they are', () => {
    const other = event({ resource: 'configmaps' }, { data: { a: 'b' } })
    expect(eventWithoutCredentials(other)).toBe(other)
  })
})

describe('headers', () => {
  it('state that there was a credential, and its type', () => {
    const shown = headersWithoutCredentials({
      Authorization: 'Bearer alice-token',
      [CERTIFICATE_HEADER]: '-----BEGIN%20CERTIFICATE',
      Accept: '*/*',
    })
    expect(shown).toEqual({
      Authorization: `Bearer ${HIDDEN}`,
      [CERTIFICATE_HEADER]: HIDDEN,
      Accept: '*/*',
    })
  })
})

describe('the log', () => {
  beforeEach(() => useRequests.getState().clear())

  it('is free of credentials whichever way an entry is made, and so is what is copied from it', () => {
    const { add, update } = useRequests.getState()
    const body = JSON.stringify({
      kind: 'Secret',
      stringData: { 'token-secret': '0123456789abcdef' },
    })
    const headers = { Authorization: 'Bearer bob-token', 'Content-Type': 'application/json' }
    const id = add({
      at: 0,
      method: 'POST',
      path: SECRETS,
      who: 'bob',
      origin: 'script',
      headers,
      body,
    })
    update(id, {
      status: 201,
      response: JSON.stringify({
        kind: 'Secret',
        data: { 'token-secret': 'MDEyMzQ1Njc4OWFiY2RlZg==' },
      }),
    })
    const [entry] = requestLog()
    if (entry === undefined) throw new Error('nothing was logged')
    const everything = [
      JSON.stringify(entry),
      asCurl(entry),
      asFetch(entry),
      asKubectl(entry),
    ].join('\n')
    for (const secret of ['bob-token', '0123456789abcdef', 'MDEyMzQ1Njc4OWFiY2RlZg=='])
      expect(everything).not.toContain(secret)
    expect(everything).toContain('token-secret')
  })
})
