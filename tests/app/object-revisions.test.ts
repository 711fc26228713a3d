/** An object's history, from the stored revisions and the requests of this page. */

import { describe, expect, it } from 'vitest'
import { revisionsOf } from '../../src/app/features/objects/revisions'
import type { KubeObject, ManagedFieldsEntry } from '../../src/engine/core/object'
import type { AuditEvent } from '../../src/engine/telemetry/audit/event'
import type { StoredState } from '../../src/hosts/shared/channel'
import { requestWithAudit } from './logged-requests'

function state(
  revision: number,
  createRevision: number,
  value: string,
  ...managedFields: ManagedFieldsEntry[]
): StoredState {
  const metadata = {
    name: 'a',
    resourceVersion: String(revision),
    creationTimestamp: '2024-01-01T00:00:00Z',
    managedFields,
  }
  return {
    revision,
    createRevision,
    author: `author of ${revision}`,
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { k: value } } as KubeObject,
  }
}

function event(
  resourceVersion: string,
  username: string,
  part: Partial<AuditEvent> = {},
): AuditEvent {
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID: username,
    stage: 'ResponseComplete',
    requestURI: '/api/v1/x',
    verb: 'patch',
    user: { username },
    responseObject: { metadata: { resourceVersion } },
    ...part,
  }
}

const alice: ManagedFieldsEntry = { manager: 'alice', time: '2024-01-01T00:00:00Z' }
const robot: ManagedFieldsEntry = { manager: 'robot', time: '2024-01-02T00:00:00Z' }

describe('the revisions of an object', () => {
  it('list each write with its manager and time, newest first', () => {
    const found = revisionsOf(
      [state(5, 5, 'one', alice), state(8, 5, 'two', { ...alice, fieldsV1: {} }, robot)],
      [],
      [],
    )
    expect(
      found.map(({ revision, what, managers, time }) => [revision, what, managers, time]),
    ).toEqual([
      [8, 'changed', ['robot'], '2024-01-02T00:00:00Z'],
      [5, 'created', ['alice'], '2024-01-01T00:00:00Z'],
    ])
    expect(found[0]?.changes.map(({ path }) => path)).toContain('.data.k')
  })

  it('show a deletion with the last state, and a recreation as a creation', () => {
    const found = revisionsOf(
      [
        state(5, 5, 'one'),
        { revision: 6, createRevision: undefined, object: undefined, author: 'remover' },
        state(9, 9, 'two'),
      ],
      [],
      [],
    )
    expect(found.map(({ what }) => what)).toEqual(['created', 'deleted', 'created'])
    expect(found[1]?.who).toBe('remover')
    expect(found[1]?.object).toEqual(state(5, 5, 'one').object)
  })

  it('attribute a second write within a second to the newest entry, if it has one manager and owns the change', () => {
    const fieldsV1 = { 'f:data': { 'f:k': {} } }
    const twice = (...entries: ManagedFieldsEntry[]) =>
      revisionsOf([state(5, 5, 'one', ...entries), state(6, 5, 'two', ...entries)], [], [])[0]
    expect(twice(alice, { ...robot, fieldsV1 })).toMatchObject({
      managers: ['robot'],
      time: robot.time,
    })
    expect(twice(alice, { ...robot, fieldsV1: { 'f:other': {} } })?.managers).toEqual([])
    expect(
      twice(
        { ...alice, ...(robot.time ? { time: robot.time } : {}), fieldsV1 },
        { ...robot, fieldsV1 },
      )?.managers,
    ).toEqual([])
  })

  it('name who did it, as the store kept it', () => {
    expect(
      revisionsOf([state(5, 5, 'one'), state(6, 5, 'two')], [], []).map(({ who }) => who),
    ).toEqual(['author of 6', 'author of 5'])
  })

  it('show the request of this page that wrote, found by its audit event, and only one that really wrote', () => {
    const states = [state(5, 5, 'one'), state(6, 5, 'two')]
    const audit = [
      event('5', 'reader', { verb: 'get' }),
      event('6', 'dreamer', { requestURI: '/api/v1/x?dryRun=All' }),
      event('6', 'loser', { responseObject: { kind: 'Status', metadata: {}, code: 409 } }),
      event('6', 'winner'),
    ]
    const log = ['reader', 'dreamer', 'loser', 'winner'].map(requestWithAudit)
    expect(revisionsOf(states, audit, log).map(({ request }) => request)).toEqual([
      log[3],
      undefined,
    ])
  })
})
