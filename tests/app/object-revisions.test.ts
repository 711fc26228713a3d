/** An object's history as people read it, from what the store keeps and what this page asked. */
import { describe, expect, it } from 'vitest'
import { revisionsOf } from '../../src/app/objects/revisions'
import type { LoggedRequest } from '../../src/app/state/requests'
import type { KubeObject, ManagedFieldsEntry } from '../../src/engine/object'
import type { KeptState } from '../../src/hosts/shared/channel'

function state(revision: number, createRevision: number, value: string, ...managedFields: ManagedFieldsEntry[]): KeptState {
  const metadata = { name: 'a', resourceVersion: String(revision), creationTimestamp: '2024-01-01T00:00:00Z', managedFields }
  return { revision, createRevision, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { k: value } } as KubeObject }
}

function write(resourceVersion: string, part: Partial<LoggedRequest> = {}): LoggedRequest {
  const response = JSON.stringify({ metadata: { resourceVersion } })
  return { id: 1, at: 0, method: 'PATCH', path: '/api/v1/x', who: 'alice', origin: 'action', headers: {}, status: 200, response, ...part }
}

const alice: ManagedFieldsEntry = { manager: 'alice', time: '2024-01-01T00:00:00Z' }
const robot: ManagedFieldsEntry = { manager: 'robot', time: '2024-01-02T00:00:00Z' }

describe('the revisions of an object', () => {
  it('tell newest first what was done, through which manager and when', () => {
    const found = revisionsOf([state(5, 5, 'one', alice), state(8, 5, 'two', alice, robot)], [])
    expect(found.map(({ revision, what, managers, time }) => [revision, what, managers, time])).toEqual([
      [8, 'changed', ['robot'], '2024-01-02T00:00:00Z'],
      [5, 'created', ['alice'], '2024-01-01T00:00:00Z'],
    ])
    expect(found[0]?.changes.map(({ path }) => path)).toContain('.data.k')
  })

  it('tell a deletion with the last state, and what was created anew as a creation', () => {
    const found = revisionsOf([state(5, 5, 'one'), { revision: 6, createRevision: undefined, object: undefined }, state(9, 9, 'two')], [])
    expect(found.map(({ what }) => what)).toEqual(['created', 'deleted', 'created'])
    expect(found[1]?.object).toEqual(state(5, 5, 'one').object)
  })

  it('name who did it where this page knows, and only for what was really written', () => {
    const states = [state(5, 5, 'one'), state(6, 5, 'two')]
    const log = [
      write('5', { method: 'GET', who: 'reader' }),
      write('6', { path: '/api/v1/x?dryRun=All', who: 'dreamer' }),
      write('6', { status: 409, who: 'loser' }),
      write('6', { who: 'winner' }),
    ]
    expect(revisionsOf(states, log).map(({ request }) => request?.who)).toEqual(['winner', undefined])
  })
})
