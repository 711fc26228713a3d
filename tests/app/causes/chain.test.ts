/** The last write and what followed from it, as the page shows them in one line. */
import { describe, expect, it } from 'vitest'
import { linksOf } from '../../../src/app/features/causes/chain'
import { lastWriteOf } from '../../../src/app/features/causes/roots'
import type { LoggedRequest } from '../../../src/app/state/logged-request'
import type { Step } from '../../../src/hosts/shared/channel'

const request = (given: Partial<LoggedRequest>): LoggedRequest => ({
  id: 1,
  at: 0,
  method: 'PATCH',
  path: '/api/v1/namespaces/default/configmaps/a',
  who: 'admin',
  origin: 'action',
  headers: {},
  status: 200,
  ...given,
})
const stored = (revision: number) =>
  JSON.stringify({ metadata: { resourceVersion: String(revision) } })

describe('the last write', () => {
  it('has the revisions of all writes of its run', () => {
    const log = [
      request({ at: 0, response: stored(5) }),
      request({ at: 60_000, response: stored(7) }),
      request({ at: 60_050, method: 'GET', response: stored(99) }),
      request({ at: 60_100, response: stored(8) }),
    ]
    expect(lastWriteOf(log)?.roots).toEqual({ revisions: [8, 7], deleted: [] })
  })

  it('of a deletion has the uid, since the response has no revision', () => {
    const response = JSON.stringify({ kind: 'Status', metadata: {}, details: { uid: 'u' } })
    expect(lastWriteOf([request({ method: 'DELETE', response })])?.roots).toEqual({
      revisions: [],
      deleted: ['u'],
    })
  })

  it('has a reason and no roots if it was rejected', () => {
    const response = JSON.stringify({ reason: 'Forbidden', message: 'no', metadata: {} })
    expect(lastWriteOf([request({ status: 403, response })])).toMatchObject({
      roots: undefined,
      reason: 'Forbidden',
      message: 'no',
    })
  })

  it.each([
    ['a dry run', request({ path: '/api/v1/namespaces?dryRun=All' })],
    ['a request of the page itself', request({ origin: 'page' })],
    ['a read', request({ method: 'GET' })],
    ['a request whose response is still read', request({ open: true })],
    ['a request without a response', { ...request({}), status: undefined as never }],
    ['a review', request({ path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews' })],
  ])('is never %s', (_what, entry) => {
    expect(lastWriteOf([entry])).toBeUndefined()
  })

  it('survives a response that was not kept whole', () => {
    expect(lastWriteOf([request({ response: '{"metadata": … 5 more' })])?.roots).toEqual({
      revisions: [],
      deleted: [],
    })
  })
})

const step = (
  kind: string,
  name: string,
  revision: number,
  status: object = {},
  spec: object = {},
): Step => ({
  revision,
  type: 'MODIFIED',
  kind,
  namespace: 'default',
  name,
  at: 0,
  by: undefined,
  cause: undefined,
  fields: [],
  object: {
    apiVersion: kind === 'ReplicaSet' ? 'apps/v1' : 'v1',
    kind,
    metadata: { name },
    spec,
    status,
  } as Step['object'],
})
const SCHEDULED = { nodeName: 'node-1', containers: [{ name: 'c' }] }
const READY = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [{ name: 'c', ready: true, restartCount: 0, state: { running: {} } }],
}

describe('the line', () => {
  it('has one link for each kind, with the latest state of its objects', () => {
    const steps = [
      step('ReplicaSet', 'web-1', 1, { replicas: 0 }, { replicas: 2 }),
      step('Pod', 'a', 2, { phase: 'Pending' }, SCHEDULED),
      step('Event', 'e', 3),
      step('Pod', 'b', 4, READY, SCHEDULED),
      step('ReplicaSet', 'web-1', 5, { replicas: 2, readyReplicas: 1 }, { replicas: 2 }),
    ]
    const links = linksOf(steps, (kind) => `${kind}s`)
    expect(links.map(({ title, health }) => [title, health.level, health.text])).toEqual([
      ['ReplicaSet web-1', 'InProgress', '1/2 ready'],
      ['2 Pods', 'InProgress', '1/2, 0/1 Pending'],
    ])
  })
})
