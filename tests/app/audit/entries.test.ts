/** Audit events as rows: the selection, the filter and the members. */
import { describe, expect, it } from 'vitest'
import { entriesOf, membersOf } from '../../../src/app/features/audit/entries'
import type { AuditEvent } from '../../../src/hosts/shared/channel'

function event(verb: string, username: string, rest: Partial<AuditEvent> = {}): AuditEvent {
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: `${verb}-${username}`,
    stage: 'ResponseComplete',
    stageTimestamp: '2024-01-01T00:00:01.000000Z',
    requestURI: '/api/v1/namespaces/default/pods',
    verb,
    user: { username },
    responseStatus: { code: 200 },
    ...rest,
  } as unknown as AuditEvent
}

const READ = event('list', 'alice')
const WRITE = event('create', 'alice', { responseStatus: { code: 403 } })
const CONTROLLER = event('patch', 'system:serviceaccount:kube-system:deployment-controller')
const ALL = [READ, WRITE, CONTROLLER]

const verbs = (...of: Parameters<typeof entriesOf>) => entriesOf(...of).map((one) => one.event.verb)

describe('the audit list', () => {
  it('selects writes of users, all writes, or everything, newest first', () => {
    expect(verbs(ALL, 'people', '')).toEqual(['create'])
    expect(verbs(ALL, 'writes', '')).toEqual(['patch', 'create'])
    expect(verbs(ALL, 'all', '')).toEqual(['patch', 'create', 'list'])
  })

  it('finds events by verb, user, path and status code', () => {
    expect(verbs(ALL, 'all', 'ALICE pods')).toEqual(['create', 'list'])
    expect(verbs(ALL, 'all', '403')).toEqual(['create'])
    expect(verbs(ALL, 'all', 'alice patch')).toEqual([])
  })

  it('keeps the entry of an event', () => {
    const [first] = entriesOf([WRITE], 'all', '')
    expect(first).toMatchObject({
      user: 'alice',
      code: 403,
      at: Date.parse('2024-01-01T00:00:01Z'),
    })
    expect(entriesOf([WRITE], 'all', '')[0]).toBe(first)
  })

  it('has no code before the response', () => {
    const started = event('get', 'bob', { stage: 'RequestReceived', responseStatus: undefined })
    expect(entriesOf([started], 'all', '')[0]?.code).toBeUndefined()
  })
})

it('shows the members of an event as text, without its type', () => {
  expect(
    membersOf({ kind: 'Event', apiVersion: 'v1', verb: 'get', user: { username: 'a' } }),
  ).toEqual([
    ['verb', 'get'],
    ['user', '{"username":"a"}'],
  ])
})
