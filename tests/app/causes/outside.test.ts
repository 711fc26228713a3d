/** Writes of other clients, and the fields that a write took. */

import { expect, it } from 'vitest'
import { outsideWrite, outsideWrites } from '../../../src/app/features/causes/outside'
import { fieldsTaken } from '../../../src/app/features/causes/taken'
import type { KubeObject } from '../../../src/engine/core/object'
import type { ClientWrite } from '../../../src/hosts/shared/channel'
import { requestWithAudit } from '../logged-requests'

const write = (id: string, written: ClientWrite['written']): ClientWrite => ({
  id,
  userAgent: 'kubectl/v1.37.0',
  written,
})

it('of this page are left out', () => {
  const writes = [write('mine', { revision: 1 }), write('other', { revision: 2 })]
  expect(outsideWrites(writes, [requestWithAudit('mine')]).map(({ id }) => id)).toEqual(['other'])
})

it('of one run are followed together', () => {
  const first = outsideWrite([write('a', { revision: 1 })], undefined)
  expect(first).toMatchObject({ client: 'kubectl/v1.37.0', request: undefined })
  expect(outsideWrite([write('b', { deleted: 'u' })], first)?.roots).toEqual({
    revisions: [1],
    deleted: ['u'],
  })
  expect(outsideWrite([], first)).toBeUndefined()
})

const object = (...managers: [name: string, fields: object][]): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'a',
      managedFields: managers.map(([manager, fieldsV1]) => ({
        manager,
        operation: 'Apply',
        fieldsV1,
      })),
    },
  }) as never

it('took a field if another manager lost it', () => {
  const before = object(['one', { 'f:data': { 'f:x': {}, 'f:y': {} } }])
  const after = object(
    ['one', { 'f:data': { 'f:x': {} } }],
    ['two', { 'f:data': { 'f:y': {}, 'f:z': {} } }],
  )
  expect(fieldsTaken(before, after)).toEqual([{ field: 'data.y', from: 'one', to: 'two' }])
  expect(fieldsTaken(after, after)).toEqual([])
})
