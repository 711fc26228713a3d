import { describe, expect, it } from 'vitest'
import { review } from '../building'
import { group, may, user } from '../roles'
import { accessFixture, wants } from './access-fixture'

const JANE = { kind: 'User', name: 'jane' } as const
const HOOK =
  'clusters: [{name: c, cluster: {server: "http://h"}}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x'

describe('the explanation of an authorization decision', () => {
  it('lists every binding chain, the deciding one first', async () => {
    const { access, book } = accessFixture()
    const rule = may('get', 'pods')
    await book.role('', 'view', [rule])
    await book.binding('a', 'readers', 'ClusterRole/view', [group('ops')])
    await book.binding('', 'everywhere', 'ClusterRole/view', [user('jane')])
    const reported = await access.explain({
      subject: { ...JANE, groups: ['ops'] },
      attributes: wants('get', 'pods', 'a'),
    })
    expect(reported).toMatchObject({ allowed: true, by: { type: 'RBAC' }, nearMisses: [] })
    expect(reported.chains).toEqual([
      {
        subject: user('jane'),
        binding: { kind: 'ClusterRoleBinding', name: 'everywhere', namespace: '' },
        role: { kind: 'ClusterRole', name: 'view', namespace: '' },
        rule,
      },
      {
        subject: group('ops'),
        binding: { kind: 'RoleBinding', name: 'readers', namespace: 'a' },
        role: { kind: 'ClusterRole', name: 'view', namespace: '' },
        rule,
      },
    ])
  })

  it('names the roles that contribute an aggregated rule', async () => {
    const { access, book } = accessFixture()
    const rule = may('get', 'pods')
    await book.role('', 'part', [rule])
    await book.role('', 'other', [may('list', 'pods')])
    await book.role('', 'whole', [rule, may('list', 'pods')])
    const put = async (name: string, more: object) => {
      const stored = await book.storage.get(`/registry/clusterroles/${name}`)
      if (!stored) expect.unreachable()
      const { labels, ...members } = more as { labels?: Record<string, string> }
      const object = {
        ...stored.object,
        ...members,
        metadata: { ...stored.object.metadata, ...(labels && { labels }) },
      }
      await book.storage.transaction([], [{ type: 'put', key: stored.key, object }])
    }
    await put('part', { labels: { part: 'yes' } })
    await put('other', { labels: { part: 'yes' } })
    await put('whole', {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] },
    })
    await book.binding('', 'b', 'ClusterRole/whole', [user('jane')])
    const { chains } = await access.explain({
      subject: JANE,
      attributes: wants('get', 'pods', 'a'),
    })
    expect(chains).toMatchObject([{ role: { name: 'whole' }, aggregatedFrom: ['part'] }])
  })

  it('lists near misses where no authorizer allowed the request', async () => {
    const { access, book } = accessFixture()
    await book.role('a', 'r', [may('get', 'pods')])
    await book.binding('a', 'b', 'Role/r', [user('jane')])
    const reported = await access.explain({
      subject: JANE,
      attributes: wants('delete', 'pods', 'a'),
    })
    expect(reported).toMatchObject({
      allowed: false,
      chains: [],
      nearMisses: [{ lacks: 'verb', binding: { name: 'b' } }],
    })
    expect(reported.by).toBeUndefined()
  })

  it('reports the decision of each authorizer, and the authorizers not consulted', async () => {
    const options = {
      modes: ['Node', 'Webhook', 'RBAC'],
      webhookConfigFile: '/hook',
      webhookVersion: 'v1',
    }
    const { access } = accessFixture(options, {
      files: { '/hook': HOOK },
      webhook: () => review({ denied: true, reason: 'not today' }),
    })
    const reported = await access.explain({ subject: JANE, attributes: wants('get', 'pods', 'a') })
    expect(reported).toMatchObject({
      allowed: false,
      reason: 'not today',
      by: { type: 'Webhook', name: 'default' },
    })
    expect(reported.steps).toEqual([
      {
        by: { type: 'Superusers', name: 'system:masters' },
        verdict: { decision: 'noOpinion', reason: '' },
      },
      { by: { type: 'Node', name: 'node' }, verdict: { decision: 'noOpinion', reason: '' } },
      {
        by: { type: 'Webhook', name: 'default' },
        verdict: { decision: 'deny', reason: 'not today' },
      },
      { by: { type: 'RBAC', name: 'rbac' } },
    ])
  })

  it('does not increment decision metrics', async () => {
    const { access, built } = accessFixture({ modes: ['AlwaysAllow'] })
    await access.explain({ subject: JANE, attributes: wants('get', 'pods', 'a') })
    expect(built.metrics()).not.toContain('decision="allowed"')
  })

  it('works for an earlier revision', async () => {
    const { access, book } = accessFixture()
    await book.role('a', 'r', [may('get', 'pods')])
    await book.binding('a', 'b', 'Role/r', [user('jane')])
    const revision = book.storage.currentRevision()
    await book.remove('/registry/rolebindings/a/b')
    const requested = wants('get', 'pods', 'a')
    expect(await access.explain({ subject: JANE, attributes: requested, revision })).toMatchObject({
      revision,
      allowed: true,
    })
    expect(await access.explain({ subject: JANE, attributes: requested })).toMatchObject({
      allowed: false,
    })
  })
})
