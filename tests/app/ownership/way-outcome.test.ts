/** The ways out of a conflict, and what they result in. */

import { describe, expect, it } from 'vitest'
import type { ConflictField } from '../../../src/app/features/ownership/effects'
import type { Owner } from '../../../src/app/features/ownership/owners'
import { outcomeOf, wayOptions } from '../../../src/app/features/ownership/way-outcome'
import type { KubeObject } from '../../../src/engine/core/object'
import { kubeObject } from '../../support/json-objects'

const owner = (name: string, operation: Owner['operation'] = 'Apply'): Owner => ({
  id: `${name} ${operation}`,
  name,
  operation,
  apiVersion: 'v1',
  subresource: '',
  time: '',
})

const conflict = (name: string, owners: Owner[]): ConflictField => ({
  field: `.data.${name}`,
  path: ['f:data', `f:${name}`],
  yours: 'blue',
  live: 'red',
  owners,
})

const COLOR = conflict('color', [owner('alice')])

describe('the ways out of a conflict', () => {
  it('begin with the safest, and need no choice for a single field', () => {
    const options = wayOptions([COLOR], 'bob')
    expect(options.map(({ title, way }) => [title, way])).toEqual([
      ['Leave the field to alice', 'leave'],
      ['Adopt the live value', 'share'],
      ['Force', 'force'],
    ])
    expect(options[2]?.about).toBe('Overrides the value: alice loses ownership of the field.')
  })

  it('allow a choice for each of several fields', () => {
    const options = wayOptions([COLOR, conflict('room', [owner('carol')])], 'bob')
    expect(options.at(-1)).toMatchObject({ title: 'Apply choices', way: undefined })
    expect(options[0]?.title).toBe('Leave the fields to alice and carol')
    expect(options[2]?.about).toContain('alice and carol lose ownership')
  })

  it('mention a share that is relinquished', () => {
    const shared = conflict('color', [owner('alice'), owner('bob')])
    expect(wayOptions([shared], 'bob')[0]?.about).toContain('you relinquish your share')
  })
})

it('shows the value and owners of the fields, and other changes apart', () => {
  const map = (data: Record<string, string>, managers: Record<string, string[]>): KubeObject =>
    kubeObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'lights',
        managedFields: Object.entries(managers).map(([manager, fields]) => ({
          manager,
          operation: 'Apply',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': Object.fromEntries(fields.map((field) => [`f:${field}`, {}])) },
        })),
      },
      data,
    })
  const live = map({ color: 'red' }, { alice: ['color'] })
  const after = map({ color: 'blue', level: '5' }, { bob: ['color', 'level'] })
  const { fields, rest } = outcomeOf({ live, conflicts: [COLOR] }, after, 'bob')
  expect(fields).toMatchObject([
    { field: '.data.color', text: '"blue"', owners: [{ name: 'bob' }] },
  ])
  expect(rest.map(({ field, effect }) => [field, effect])).toEqual([['.data.level', 'added']])
})
