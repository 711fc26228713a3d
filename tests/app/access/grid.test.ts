/** The table of permissions: groups, icons, names and attributes of its cells. */
import { describe, expect, it } from 'vitest'
import {
  moved,
  pathGroups,
  resourceGroups,
  revisionIn,
} from '../../../src/app/features/access/grid'
import { fromEvents, fromTraces } from '../../../src/app/features/access/series'
import { PAGE_AGENT } from '../../../src/engine/core/names'
import type { Cell, Matrix } from '../../../src/hosts/shared/access'
import type { RequestTrace } from '../../../src/hosts/shared/channel'

const RBAC = { type: 'RBAC', name: 'rbac' }
const notAllowed: Cell = { outcome: 'forbidden' }
const resource = (group: string, name: string, namespaced = true) => ({
  group,
  version: 'v1',
  resource: name,
  namespaced,
  verbs: ['get'],
})
const matrix: Matrix = {
  revision: 7,
  user: { name: 'alice', groups: [] },
  verbs: ['get', 'delete'],
  rows: [
    { resource: resource('', 'pods'), cells: [{ outcome: 'allowed', by: RBAC }, notAllowed] },
    { resource: resource('', 'pods/log'), cells: [notAllowed, notAllowed] },
    {
      resource: resource('', 'nodes', false),
      cells: [{ outcome: 'forbidden', by: { type: 'Webhook', name: 'w' } }, notAllowed],
    },
    {
      resource: resource('apps', 'deployments'),
      cells: [{ outcome: 'some', by: RBAC, names: ['web'] }, notAllowed],
    },
  ],
  pathVerbs: ['get'],
  paths: [{ path: '/healthz', cells: [{ outcome: 'allowed', by: RBAC }] }],
  caveats: [],
}
const ALL = { words: '', subresources: false, allowed: false }

describe('rows', () => {
  it('are grouped; subresources only on request', () => {
    const shown = (filter: Partial<typeof ALL>) =>
      resourceGroups(matrix, 'shop', { ...ALL, ...filter }).map(({ title, rows }) => [
        title,
        ...rows.map(({ name }) => name),
      ])
    expect(shown({})).toEqual([
      ['core/v1', 'pods', 'nodes'],
      ['apps/v1', 'deployments'],
    ])
    expect(shown({ subresources: true })[0]).toEqual(['core/v1', 'pods', 'pods/log', 'nodes'])
    expect(shown({ words: 'apps dep' })).toEqual([['apps/v1', 'deployments']])
    expect(shown({ allowed: true })).toEqual([
      ['core/v1', 'pods'],
      ['apps/v1', 'deployments'],
    ])
  })
})

describe('cells', () => {
  const cell = (row: number, column: number) =>
    resourceGroups(matrix, 'shop', ALL).flatMap(({ rows }) => rows)[row]?.cells[column]

  it('have a label for their icon, and the deciding authorizer', () => {
    expect(cell(0, 0)).toMatchObject({
      look: 'allowed',
      label: 'get pods: allowed by RBAC',
      served: true,
    })
    expect(cell(0, 1)).toMatchObject({
      look: 'not-allowed',
      label: 'delete pods: not allowed, not served',
      served: false,
    })
    expect(cell(1, 0)).toMatchObject({ look: 'denied', label: 'get nodes: denied by Webhook' })
    expect(cell(2, 0)).toMatchObject({
      look: 'some',
      label: 'get deployments: specific names only (web) by RBAC',
    })
  })

  it('query the selected namespace, and the named object', () => {
    expect(cell(0, 0)?.attributes).toMatchObject({ namespace: 'shop', resource: 'pods', name: '' })
    expect(cell(1, 0)?.attributes).toMatchObject({ namespace: '', resource: 'nodes' })
    expect(cell(2, 0)?.attributes).toMatchObject({ name: 'web' })
    expect(pathGroups(matrix, ALL)[0]?.rows[0]?.cells[0]?.attributes).toMatchObject({
      isResource: false,
      path: '/healthz',
      verb: 'get',
    })
  })
})

it('groups requests by user, leaves out the page’s own, and uses the impersonated user', () => {
  const attributes = {
    verb: 'get',
    isResource: true,
    path: '',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: 'shop',
    name: '',
  }
  const trace = (part: Partial<RequestTrace>) =>
    ({
      attributes,
      user: { name: 'alice', groups: [] },
      status: 200,
      userAgent: 'kubetab',
      ...part,
    }) as RequestTrace
  const bob = { impersonated: { name: 'bob', groups: [] } }
  expect(
    fromTraces([trace({}), trace({ status: 403 }), trace({ userAgent: PAGE_AGENT }), trace(bob)]),
  ).toMatchObject([
    { user: 'alice', text: 'get pods in shop', count: 2, denied: true },
    { user: 'bob', count: 1, denied: false },
  ])
})

it('reads the same from audit events, by the user who was impersonated where one was', () => {
  const event = (part: object) =>
    ({
      auditID: 'a',
      verb: 'list',
      requestURI: '/api/v1/pods?limit=1',
      user: { username: 'alice' },
      responseStatus: { code: 403 },
      ...part,
    }) as never
  const events = [
    event({}),
    event({ responseStatus: { code: 200 } }),
    event({ userAgent: PAGE_AGENT }),
    event({ impersonatedUser: { username: 'bob' } }),
  ]
  expect(fromEvents(events)).toMatchObject([
    { user: 'alice', text: 'list /api/v1/pods', count: 2, denied: true },
    { user: 'bob', text: 'list /api/v1/pods', count: 1 },
  ])
})

describe('the keys of the table', () => {
  const last = { row: 20, column: 5 }
  const to = (key: string, far = false) => moved(key, far, { row: 3, column: 2 }, last)

  it('move to a neighbor, a page, or an edge', () => {
    expect(to('ArrowDown')).toEqual({ row: 4, column: 2 })
    expect(to('ArrowLeft')).toEqual({ row: 3, column: 1 })
    expect(to('PageDown')).toEqual({ row: 13, column: 2 })
    expect(to('Home')).toEqual({ row: 3, column: 0 })
    expect(to('End')).toEqual({ row: 3, column: 5 })
  })

  it('move to the first and last cell with Ctrl or Cmd', () => {
    expect(to('Home', true)).toEqual({ row: 0, column: 0 })
    expect(to('End', true)).toEqual({ row: 20, column: 5 })
  })

  it('do not leave the table, and other keys do not move', () => {
    expect(to('PageUp')).toEqual({ row: 0, column: 2 })
    expect(moved('ArrowRight', false, last, last)).toEqual(last)
    expect(to('a')).toBeUndefined()
    expect(to('constructor')).toBeUndefined()
  })
})

it('reads a typed revision', () => {
  expect(revisionIn('12')).toBe(12)
  for (const typed of ['', ' ', '0', '-3', '1.5', 'now']) expect(revisionIn(typed)).toBeUndefined()
})
