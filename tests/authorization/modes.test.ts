import { describe, expect, it } from 'vitest'
import { built, KUBECONFIG, review } from './building'
import { attributesOf, may, pathAttributes, roleBook, user } from './roles'

const MASTER = { name: 'root', groups: ['system:masters'] }
const NODE = { name: 'system:node:n', groups: ['system:nodes'] }
const webhookFile = { files: { '/hook': KUBECONFIG } }

describe('authorization modes', () => {
  it('deny a request when no authorizer has an opinion', async () => {
    expect(await built({}).authorizer.authorize(attributesOf('jane', 'get', 'pods'))).toEqual({
      decision: 'noOpinion',
      reason: '',
    })
  })

  it('default to Node,RBAC', async () => {
    const { storage, role, binding } = roleBook()
    await role('a', 'r', [may('get', 'pods')])
    await binding('a', 'b', 'Role/r', [user('jane')])
    const { authorizer, usesRoles } = built({}, { storage })
    expect(usesRoles).toBe(true)
    expect(await authorizer.authorize(attributesOf('jane', 'get', 'pods', 'a'))).toMatchObject({
      decision: 'allow',
    })
    expect(await authorizer.authorize(attributesOf(NODE, 'create', 'nodes'))).toMatchObject({
      decision: 'allow',
    })
  })

  it('stop at the first authorizer that allows or denies', async () => {
    const { storage, role, binding } = roleBook()
    await role('a', 'r', [may('get', 'pods')])
    await binding('a', 'b', 'Role/r', [user('jane')])
    const around = {
      ...webhookFile,
      storage,
      webhook: () => review({ denied: true, reason: 'no' }, 'v1beta1'),
    }
    const question = attributesOf('jane', 'get', 'pods', 'a')
    const before = built({ modes: ['Webhook', 'RBAC'], webhookConfigFile: '/hook' }, around)
    expect(await before.authorizer.authorize(question)).toMatchObject({
      decision: 'deny',
      reason: 'no',
    })
    const behind = built({ modes: ['RBAC', 'Webhook'], webhookConfigFile: '/hook' }, around)
    expect(await behind.authorizer.authorize(question)).toMatchObject({ decision: 'allow' })
    expect(
      await behind.authorizer.authorize(attributesOf('joe', 'get', 'pods', 'a')),
    ).toMatchObject({
      decision: 'deny',
      reason: 'no',
    })
  })

  it('join the reasons of authorizers without an opinion', async () => {
    const { storage, binding } = roleBook()
    await binding('a', 'b', 'Role/ghost', [user('jane')])
    const { authorizer } = built({ modes: ['RBAC', 'AlwaysDeny'] }, { storage })
    expect(await authorizer.authorize(attributesOf('jane', 'get', 'pods', 'a'))).toEqual({
      decision: 'noOpinion',
      reason: 'RBAC: role.rbac.authorization.k8s.io "ghost" not found\nEverything is forbidden.',
    })
  })

  it.each([[['AlwaysDeny']], [['RBAC']], [['Node']]])(
    'allow system:masters in %j',
    async (modes) => {
      const { authorizer } = built({ modes })
      expect(await authorizer.authorize(attributesOf(MASTER, 'delete', 'nodes'))).toMatchObject({
        decision: 'allow',
        reason: '',
      })
    },
  )

  it('allow every request with AlwaysAllow', async () => {
    const { authorizer, usesRoles } = built({ modes: ['AlwaysAllow'] })
    expect(usesRoles).toBe(false)
    expect(await authorizer.authorize(attributesOf('jane', 'delete', 'nodes'))).toMatchObject({
      decision: 'allow',
      reason: '',
    })
    expect(await authorizer.rules?.({ name: 'jane', groups: [] }, 'a')).toMatchObject({
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    })
  })

  it('have no opinion with AlwaysDeny, so a later authorizer may allow', async () => {
    const { authorizer } = built({ modes: ['AlwaysDeny', 'AlwaysAllow'] })
    expect(await authorizer.authorize(pathAttributes('jane', 'get', '/x'))).toMatchObject({
      decision: 'allow',
      reason: '',
    })
  })

  it('grant nodes no permissions without Node', async () => {
    expect(
      await built({ modes: ['RBAC'] }).authorizer.authorize(attributesOf(NODE, 'create', 'nodes')),
    ).toMatchObject({ decision: 'noOpinion' })
  })

  it('list rules, and report an incomplete list', async () => {
    const { authorizer } = built(
      { modes: ['Node', 'Webhook'], webhookConfigFile: '/hook' },
      webhookFile,
    )
    const list = await authorizer.rules?.(NODE, 'a')
    expect(list).toMatchObject({ incomplete: true, resourceRules: [] })
    expect(list?.evaluationError).toBe(
      '[node authorizer does not support user rule resolution, webhook authorizer does not support user rule resolution]',
    )
  })

  it('count final decisions by authorizer', async () => {
    const { authorizer, metrics } = built({ modes: ['AlwaysDeny', 'AlwaysAllow'] })
    await authorizer.authorize(attributesOf('jane', 'get', 'pods'))
    await authorizer.authorize(attributesOf(MASTER, 'get', 'pods'))
    expect(metrics()).toBe(
      'apiserver_authorization_decisions_total{decision="allowed",name="alwaysallow",type="AlwaysAllow"} 1',
    )
  })
})
