import { describe, expect, it } from 'vitest'
import { attributesOf, group, may, user } from '../roles'
import { accessFixture, NODES, PODS } from './access-fixture'

const JANE = { kind: 'User', name: 'jane' } as const
const RBAC = { type: 'RBAC', name: 'rbac' }

describe('the matrix of verbs and resources', () => {
  it('shows for each cell whether it is allowed, and the grant', async () => {
    const { access, book } = accessFixture()
    await book.role('a', 'r', [may('get,list', 'pods')])
    await book.binding('a', 'b', 'Role/r', [user('jane')])
    const matrix = await access.matrix({ subject: JANE, namespace: 'a', verbs: ['get', 'create'] })
    expect(matrix.rows).toEqual([
      { resource: PODS, cells: [{ outcome: 'allowed', by: RBAC }, { outcome: 'forbidden' }] },
      { resource: NODES, cells: [{ outcome: 'forbidden' }, { outcome: 'forbidden' }] },
    ])
    expect(matrix.user).toEqual({ name: 'jane', groups: ['system:authenticated'] })
  })

  it('names the objects where a rule has resourceNames', async () => {
    const { access, book } = accessFixture()
    await book.role('', 'r', [may('get', 'nodes', ['two', 'one'])])
    await book.binding('', 'b', 'ClusterRole/r', [user('jane')])
    const { rows } = await access.matrix({
      subject: JANE,
      namespace: '',
      verbs: ['get', 'list'],
      resources: [NODES],
    })
    expect(rows[0]?.cells).toEqual([
      { outcome: 'some', by: RBAC, names: ['one', 'two'] },
      { outcome: 'forbidden' },
    ])
  })

  it('includes subresources, and cluster-scoped resources in any namespace', async () => {
    const { access, book } = accessFixture()
    await book.role('', 'r', [may('get', 'pods/log,nodes')])
    await book.binding('', 'b', 'ClusterRole/r', [user('jane')])
    const resources = [PODS, { ...PODS, resource: 'pods/log' }, NODES]
    const { rows } = await access.matrix({
      subject: JANE,
      namespace: 'a',
      verbs: ['get'],
      resources,
    })
    expect(rows.map(({ cells }) => cells[0]?.outcome)).toEqual(['forbidden', 'allowed', 'allowed'])
  })

  it('includes rows of non-resource paths', async () => {
    const { access, book } = accessFixture()
    await book.role('', 'r', [{ verbs: ['get'], nonResourceURLs: ['/healthz/*'] }])
    await book.binding('', 'b', 'ClusterRole/r', [user('jane')])
    const { paths, pathVerbs } = await access.matrix({
      subject: JANE,
      namespace: '',
      resources: [],
      paths: ['/healthz/etcd', '/metrics'],
    })
    const get = pathVerbs.indexOf('get')
    expect(paths.map(({ cells }) => cells[get]?.outcome)).toEqual(['allowed', 'forbidden'])
  })

  it('can show a service account or the members of a group', async () => {
    const { access, book } = accessFixture()
    await book.role('a', 'r', [may('get', 'pods')])
    await book.binding('a', 'accounts', 'Role/r', [group('system:serviceaccounts:a')])
    await book.binding('a', 'people', 'Role/r', [group('ops')])
    const outcome = async (subject: Parameters<typeof access.matrix>[0]['subject']) => {
      const { rows } = await access.matrix({
        subject,
        namespace: 'a',
        verbs: ['get'],
        resources: [PODS],
      })
      return rows[0]?.cells[0]?.outcome
    }
    expect(await outcome({ kind: 'ServiceAccount', namespace: 'a', name: 'bot' })).toBe('allowed')
    expect(await outcome({ kind: 'ServiceAccount', namespace: 'b', name: 'bot' })).toBe('forbidden')
    expect(await outcome({ kind: 'Group', name: 'ops' })).toBe('allowed')
    expect(await outcome({ kind: 'Group', name: 'devs' })).toBe('forbidden')
    expect(await outcome({ kind: 'User', name: 'joe', groups: ['ops'] })).toBe('allowed')
  })

  it('shows the roles of an earlier revision', async () => {
    const { access, book } = accessFixture()
    await book.role('a', 'r', [may('get', 'pods')])
    await book.binding('a', 'b', 'Role/r', [user('jane')])
    const before = book.storage.currentRevision()
    await book.role('a', 'r', [may('create', 'pods')])
    const query = { subject: JANE, namespace: 'a', verbs: ['get', 'create'], resources: [PODS] }
    const outcomes = async (revision?: number) => {
      const { rows } = await access.matrix({
        ...query,
        ...(revision === undefined ? {} : { revision }),
      })
      return rows[0]?.cells.map((cell) => cell.outcome)
    }
    expect(await outcomes(before)).toEqual(['allowed', 'forbidden'])
    expect(await outcomes()).toEqual(['forbidden', 'allowed'])
    await book.storage.compact(book.storage.currentRevision())
    await expect(outcomes(before)).rejects.toThrow()
  })

  it("matches the authorizer's decision in every cell", async () => {
    const { access, book, built } = accessFixture({ modes: ['Node', 'RBAC'] })
    await book.role('', 'r', [
      may('get,list', '*/log,nodes'),
      { verbs: ['*'], apiGroups: ['*'], resources: ['pods'] },
    ])
    await book.binding('', 'b', 'ClusterRole/r', [group('ops')])
    const resources = [
      PODS,
      NODES,
      { ...PODS, resource: 'pods/log' },
      { ...PODS, resource: 'secrets' },
    ]
    const { rows, verbs } = await access.matrix({
      subject: { kind: 'Group', name: 'ops' },
      namespace: 'a',
      resources,
    })
    for (const { resource, cells } of rows) {
      for (const [i, verb] of verbs.entries()) {
        const question = attributesOf(
          { name: '', groups: ['ops'] },
          verb,
          resource.resource,
          resource.namespaced ? 'a' : '',
        )
        const { decision } = await built.authorizer.authorize(question)
        expect(cells[i]?.outcome === 'allowed', `${verb} ${resource.resource}`).toBe(
          decision === 'allow',
        )
      }
    }
  })

  it('calls no webhook, and reports that', async () => {
    const files = {
      '/hook':
        'clusters: [{name: c, cluster: {server: "http://h"}}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x',
    }
    const options = { modes: ['Webhook', 'RBAC'], webhookConfigFile: '/hook' }
    const { access } = accessFixture(options, {
      files,
      webhook: () => expect.unreachable('the webhook was called'),
    })
    const { caveats } = await access.matrix({ subject: JANE, namespace: 'a' })
    expect(caveats).toMatchObject([
      { kind: 'not-evaluated', by: { type: 'Webhook', name: 'default' } },
    ])
  })
})
