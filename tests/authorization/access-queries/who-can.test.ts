import { describe, expect, it } from 'vitest'
import { account, attributesOf, group, may, user } from '../roles'
import { accessFixture, wants } from './access-fixture'

describe('subjects that can perform a request', () => {
  it('lists every subject with its binding chain, superusers first', async () => {
    const { access, book } = accessFixture()
    await book.role('a', 'r', [may('get', 'secrets')])
    await book.role('', 'all', [may('*', '*')])
    await book.binding('a', 'b', 'Role/r', [user('jane'), account('bot')])
    await book.binding('b', 'elsewhere', 'ClusterRole/all', [user('joe')])
    await book.binding('', 'wide', 'ClusterRole/all', [group('ops')])
    const { holders } = await access.whoCan({
      attributes: wants('get', 'secrets', 'a', { name: 's' }),
    })
    expect(
      holders.map(({ subject, chain }) => [subject.kind, subject.name, chain?.binding.name]),
    ).toEqual([
      ['Group', 'system:masters', undefined],
      ['Group', 'ops', 'wide'],
      ['User', 'jane', 'b'],
      ['ServiceAccount', 'bot', 'b'],
    ])
  })

  it('lists no subject whose request would be denied', async () => {
    const { access, book, built } = accessFixture()
    await book.role('a', 'r', [may('get', 'secrets', ['one'])])
    await book.binding('a', 'b', 'Role/r', [user('jane')])
    for (const name of ['one', 'two']) {
      const { holders } = await access.whoCan({
        attributes: wants('get', 'secrets', 'a', { name }),
      })
      const { decision } = await built.authorizer.authorize(
        attributesOf('jane', 'get', 'secrets', 'a', { name }),
      )
      expect(holders.some(({ subject }) => subject.name === 'jane')).toBe(decision === 'allow')
    }
  })

  it('includes ABAC policies, and every user with AlwaysAllow', async () => {
    const line = (spec: object) =>
      JSON.stringify({
        apiVersion: 'abac.authorization.kubernetes.io/v1beta1',
        kind: 'Policy',
        spec,
      })
    const policies = [
      line({ user: 'jane', namespace: 'a', resource: 'pods', apiGroup: '*', readonly: true }),
      line({ group: 'system:authenticated', namespace: 'b', resource: '*', apiGroup: '*' }),
    ].join('\n')
    const { access } = accessFixture(
      { modes: ['ABAC'], policyFile: '/p' },
      { files: { '/p': policies } },
    )
    const names = async (verb: string, namespace: string) =>
      (await access.whoCan({ attributes: wants(verb, 'pods', namespace) })).holders.map(
        ({ subject }) => subject.name,
      )
    expect(await names('get', 'a')).toEqual(['system:masters', 'jane'])
    expect(await names('create', 'a')).toEqual(['system:masters'])
    expect(await names('create', 'b')).toEqual(['system:masters', 'system:authenticated'])
    const { access: open } = accessFixture({ modes: ['AlwaysAllow'] })
    const { holders } = await open.whoCan({ attributes: wants('get', 'pods', 'a') })
    expect(holders.map(({ subject }) => subject.name)).toContain('system:unauthenticated')
  })

  it('lists nodes by the pods that run on them', async () => {
    const { access, book } = accessFixture({ modes: ['Node', 'RBAC'] })
    const put = (key: string, object: object) =>
      book.storage.transaction(
        [],
        [{ type: 'put', key, object: { apiVersion: 'v1', kind: '', metadata: {}, ...object } }],
      )
    for (const name of ['n1', 'n2'])
      await put(`/registry/minions/${name}`, { metadata: { name, resourceVersion: '0' } })
    const spec = {
      nodeName: 'n1',
      volumes: [{ name: 'v', secret: { secretName: 's' } }],
      containers: [],
    }
    await put('/registry/pods/a/p', {
      metadata: { name: 'p', namespace: 'a', resourceVersion: '0' },
      spec,
    })
    const { holders } = await access.whoCan({
      attributes: wants('get', 'secrets', 'a', { name: 's' }),
    })
    expect(holders.map(({ subject, by }) => [subject.name, by.type])).toEqual([
      ['system:masters', 'Superusers'],
      ['system:node:n1', 'Node'],
    ])
  })
})
