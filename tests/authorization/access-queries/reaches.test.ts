import { describe, expect, it } from 'vitest'
import { escalationRisksOf } from '../../../src/engine/authorization/access-queries/escalation-risks'
import { may, user } from '../roles'
import { accessFixture } from './access-fixture'

const RBAC = 'rbac.authorization.k8s.io'
const kinds = (rule: Parameters<typeof escalationRisksOf>[0]) => [
  ...new Set(escalationRisksOf(rule).map(({ kind }) => kind)),
]

describe('a risky permission', () => {
  it.each([
    ['escalate', { verbs: ['escalate'], apiGroups: [RBAC], resources: ['clusterroles'] }],
    [
      'bind',
      { verbs: ['bind'], apiGroups: [RBAC], resources: ['roles'], resourceNames: ['admin'] },
    ],
    ['impersonate', may('impersonate', 'users')],
    ['pods', may('create', 'pods')],
    ['workloads', { verbs: ['patch'], apiGroups: ['apps'], resources: ['deployments'] }],
    ['commands', may('create', 'pods/exec')],
    ['secrets', may('list', 'secrets')],
    ['tokens', may('create', 'serviceaccounts/token')],
    ['nodes', may('get', 'nodes/proxy')],
    ['volumes', may('create', 'persistentvolumes')],
    ['namespaces', may('patch', 'namespaces')],
    [
      'certificates',
      {
        verbs: ['approve'],
        apiGroups: ['certificates.k8s.io'],
        resources: ['signers'],
        resourceNames: ['x/y'],
      },
    ],
    [
      'webhooks',
      {
        verbs: ['create'],
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['mutatingwebhookconfigurations'],
      },
    ],
    ['everything', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  ])('is found: %s', (kind, rule) => {
    expect(kinds(rule)).toEqual([kind])
  })

  it('includes a wildcard, with the permissions it covers', () => {
    expect(kinds(may('*', 'pods'))).toEqual(['wildcard verbs', 'pods'])
    expect(kinds(may('get', '*'))).toEqual(['wildcard resources', 'commands', 'secrets', 'nodes'])
    expect(kinds({ verbs: ['get'], apiGroups: ['*'], resources: ['pods'] })).toEqual([
      'wildcard groups',
    ])
  })

  it('names the values of the rule that cause it', () => {
    expect(escalationRisksOf(may('get,create,patch', 'pods,configmaps'))).toMatchObject([
      { kind: 'pods', right: 'create,patch pods' },
    ])
  })

  it('excludes read-only rules on resources without secrets', () => {
    expect(kinds(may('get,list,watch', 'pods,configmaps,nodes'))).toEqual([])
    expect(kinds({ verbs: ['get'], nonResourceURLs: ['*'] })).toEqual([])
  })

  it('is reported for a subject with its binding chain', async () => {
    const { access, book } = accessFixture()
    await book.role('a', 'r', [may('get', 'configmaps'), may('create', 'pods')])
    await book.binding('a', 'b', 'Role/r', [user('jane')])
    const warnings = await access.warnings({
      subject: { kind: 'User', name: 'jane' },
      namespace: 'a',
    })
    expect(warnings).toMatchObject([
      { kind: 'pods', chain: { binding: { name: 'b' }, role: { name: 'r' } } },
    ])
    expect(
      await access.warnings({ subject: { kind: 'User', name: 'jane' }, namespace: 'b' }),
    ).toEqual([])
  })
})
