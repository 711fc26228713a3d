import { describe, expect, it } from 'vitest'
import { askedServer } from './asking'

const TOKENS = 'root-token,root,,"system:masters"\njane-token,jane,jane-uid,"dev"\n'
const JANE = { authorization: 'Bearer jane-token' }
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/a'

describe('SelfSubjectReview (document 2)', () => {
  it.each(['v1', 'v1beta1', 'v1alpha1'])(
    'tells whoever asks as whom they came (%s)',
    async (version) => {
      const ask = askedServer({ tokens: TOKENS, runtimeConfig: { 'api/all': 'true' } })
      const path = `/apis/authentication.k8s.io/${version}/selfsubjectreviews`
      const { status, json } = await ask(path, { method: 'POST', headers: JANE, body: {} })
      expect(status).toBe(201)
      expect(json.status).toEqual({
        userInfo: { username: 'jane', uid: 'jane-uid', groups: ['dev', 'system:authenticated'] },
      })
    },
  )

  it('tells of the one acted as, with everything that was said of them', async () => {
    const ask = askedServer({ tokens: TOKENS })
    const headers = {
      authorization: 'Bearer root-token',
      'impersonate-user': 'joe',
      'impersonate-extra-scopes': 'one',
    }
    const { json } = await ask('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      method: 'POST',
      headers,
      body: {},
    })
    expect(json.status).toEqual({
      userInfo: { username: 'joe', groups: ['system:authenticated'], extra: { scopes: ['one'] } },
    })
  })

  it('is not for those who do not say who they are', async () => {
    const ask = askedServer({ tokens: TOKENS })
    const { status } = await ask('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      method: 'POST',
      headers: { authorization: '' },
      body: {},
    })
    expect(status).toBe(403)
  })
})

describe('SelfSubjectRulesReview and SelfSubjectAccessReview (document 2)', () => {
  it('list and answer what the asker may do in a namespace', async () => {
    const ask = askedServer({ tokens: TOKENS })
    const root = { authorization: 'Bearer root-token' }
    await ask('/api/v1/namespaces', {
      method: 'POST',
      headers: root,
      body: { metadata: { name: 'a' } },
    })
    const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }]
    await ask(`${RBAC}/roles`, {
      method: 'POST',
      headers: root,
      body: { metadata: { name: 'r' }, rules },
    })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' }
    const subjects = [{ kind: 'User', name: 'jane' }]
    await ask(`${RBAC}/rolebindings`, {
      method: 'POST',
      headers: root,
      body: { metadata: { name: 'b' }, subjects, roleRef },
    })
    const review = (kind: string, spec: object) =>
      ask(`/apis/authorization.k8s.io/v1/${kind}`, {
        method: 'POST',
        headers: JANE,
        body: { spec },
      })
    const listed = await review('selfsubjectrulesreviews', { namespace: 'a' })
    const status = listed.json.status as { resourceRules: object[]; incomplete: boolean }
    expect(status.resourceRules).toContainEqual(rules[0])
    // What the mode Node allows depends on pods, but jane is no node.
    expect(status.incomplete).toBe(false)
    const may = async (verb: string) =>
      (
        await review('selfsubjectaccessreviews', {
          resourceAttributes: { namespace: 'a', verb, resource: 'pods' },
        })
      ).json.status
    expect(await may('list')).toMatchObject({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/a" of Role "r" to User "jane"',
    })
    expect(await may('delete')).toEqual({ allowed: false })
  })
})
