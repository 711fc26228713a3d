/** The timeline of an incident has the writes of users since it began, and nothing else. */
import { expect, it } from 'vitest'
import { writesIn } from '../../src/app/features/lessons/incident-writes'
import type { AuditEvent } from '../../src/hosts/shared/channel'

const BEGUN = Date.parse('2026-01-01T00:10:00Z')

const event = (change: object): AuditEvent =>
  ({
    auditID: 'a',
    stageTimestamp: '2026-01-01T00:10:30.000000Z',
    verb: 'patch',
    requestURI: '/api/v1/namespaces/shop/services/web',
    user: { username: 'admin' },
    userAgent: 'kubectl',
    objectRef: { resource: 'services', namespace: 'shop', name: 'web' },
    requestObject: { spec: { selector: { app: 'web' } } },
    responseStatus: { code: 200 },
    ...change,
  }) as unknown as AuditEvent

it('shows what was written, when, by whom, and a short patch', () => {
  expect(writesIn([event({})], BEGUN)).toEqual([
    {
      id: 'a',
      at: BEGUN + 30_000,
      user: 'admin',
      verb: 'patch',
      what: 'services/web',
      namespace: 'shop',
      code: 200,
      body: '{"spec":{"selector":{"app":"web"}}}',
    },
  ])
  const [evicted] = writesIn(
    [
      event({
        verb: 'create',
        objectRef: { resource: 'pods', name: 'web-1', subresource: 'eviction' },
        responseStatus: { code: 429 },
      }),
    ],
    BEGUN,
  )
  expect(evicted).toMatchObject({ what: 'pods/web-1/eviction', code: 429, body: '' })
  const [long] = writesIn([event({ requestObject: { data: 'x'.repeat(500) } })], BEGUN)
  expect(long?.body).toBe('')
})

it.each([
  ['a read', { verb: 'list' }],
  ['a dry run', { requestURI: '/api/v1/namespaces/shop/services/web?dryRun=All' }],
  ['a review', { verb: 'create', objectRef: { resource: 'subjectaccessreviews' } }],
  ['a write of a controller', { user: { username: 'system:kube-controller-manager' } }],
  ['a write before the incident began', { stageTimestamp: '2026-01-01T00:09:59.000000Z' }],
  ['a request without an object', { objectRef: undefined }],
])('leaves out %s', (_, change) => {
  expect(writesIn([event(change)], BEGUN)).toEqual([])
})
