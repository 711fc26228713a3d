/** Which kinds definitions and APIServices announce, and whether discovery lists them. */
import { expect, it } from 'vitest'
import { definesKind } from '../../src/app/features/manifests/definitions'
import {
  announces,
  type Definition,
  defines,
  isComplete,
  rejectionOf,
  type ServiceVersion,
  unavailabilityOf,
} from '../../src/app/state/definitions'
import type { ServedResource } from '../../src/app/state/discovery'

const BACKUPS: ServedResource = {
  group: 'example.com', version: 'v1', resource: 'backups', kind: 'Backup', namespaced: true, verbs: ['create'], shortNames: [], subresources: [],
} // biome-ignore format: one resource

const definition = (
  conditions: Record<string, string>,
  metadata: Partial<Definition['metadata']> = {},
): Definition => ({
  metadata: { name: 'backups.example.com', ...metadata },
  spec: {
    group: 'example.com',
    names: { kind: 'Backup' },
    versions: [
      { name: 'v1', served: true },
      { name: 'v0', served: false },
    ],
  },
  status: {
    conditions: Object.entries(conditions).map(([type, status]) => ({
      type,
      status,
      message: 'because',
    })),
  },
})

const service = (available: string): ServiceVersion => ({
  metadata: { name: 'v1.example.com' },
  spec: { group: 'example.com', version: 'v1', service: { name: 'extension' } },
  status: { conditions: [{ type: 'Available', status: available }] },
})

it('discovery is complete when it lists what is established and available', () => {
  const established = definition({ NamesAccepted: 'True', Established: 'True' })
  expect(isComplete([], [established], [])).toBe(false)
  expect(isComplete([BACKUPS], [established], [])).toBe(true)
  expect(isComplete([], [definition({ NamesAccepted: 'True', Established: 'False' })], [])).toBe(
    true,
  )
  expect(
    isComplete(
      [],
      [definition({ Established: 'True' }, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
      [],
    ),
  ).toBe(true)
  expect(isComplete([], [], [service('True')])).toBe(false)
  expect(isComplete([], [], [service('False')])).toBe(true)
  expect(isComplete([BACKUPS], [], [service('True')])).toBe(true)
})

it('a definition announces its kind in the versions that it serves', () => {
  expect(defines(definition({}), 'example.com/v1', 'Backup')).toBe(true)
  expect(defines(definition({}), 'example.com/v0', 'Backup')).toBe(false)
  expect(defines(definition({}), 'example.com/v1', 'Backups')).toBe(false)
})

it('an APIService announces its version, and reports why its server is not available', () => {
  expect(announces(service('True'), 'example.com/v1')).toBe(true)
  expect(announces(service('True'), 'example.com/v2')).toBe(false)
  expect(announces({ spec: { group: 'example.com', version: 'v1' } }, 'example.com/v1')).toBe(false)
  expect(unavailabilityOf({})).toBe('its server is not checked yet')
  expect(unavailabilityOf(service('True'))).toBe('its server does not list the kind')
  const conditions = [{ type: 'Available', status: 'False', message: 'no endpoints' }]
  expect(unavailabilityOf({ status: { conditions } })).toBe('Available is False: no endpoints')
})

it('a definition whose names are not accepted, or that is being deleted, is not waited for', () => {
  expect(rejectionOf(definition({}))).toBeUndefined()
  expect(rejectionOf(definition({ NamesAccepted: 'True' }))).toBeUndefined()
  expect(rejectionOf(definition({ NamesAccepted: 'False' }))).toBe(
    'NamesAccepted is False: because',
  )
  expect(rejectionOf(definition({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toBe(
    'it is being deleted',
  )
})

it('a document may define a kind, whatever else it holds', () => {
  const document = (spec: unknown) =>
    ({ value: { apiVersion: 'x', kind: 'CustomResourceDefinition', spec } }) as Parameters<
      typeof definesKind
    >[0]
  const names = { kind: 'Backup' }
  expect(
    definesKind(
      document({ group: 'example.com', names, versions: [{ name: 'v1' }] }),
      'example.com/v1',
      'Backup',
    ),
  ).toBe(true)
  expect(
    definesKind(
      document({ group: 'example.com', names, version: 'v1' }),
      'example.com/v1',
      'Backup',
    ),
  ).toBe(true)
  expect(
    definesKind(
      document({ group: 'example.com', names, versions: [{ name: 'v1', served: false }] }),
      'example.com/v1',
      'Backup',
    ),
  ).toBe(false)
  for (const spec of [
    undefined,
    null,
    'text',
    [],
    { versions: 'v1' },
    { names: [], versions: [null, 1] },
  ])
    expect(definesKind(document(spec), 'example.com/v1', 'Backup')).toBe(false)
})
