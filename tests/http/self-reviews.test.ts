import { describe, expect, it } from 'vitest'
import { testClient } from './test-client'

const TOKENS = 'root-token,root,,"system:masters"\njane-token,jane,jane-uid,"dev"\n'
const JANE = { authorization: 'Bearer jane-token' }
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/a'

describe('SelfSubjectReview', () => {
  it.each(['v1', 'v1beta1', 'v1alpha1'])(
    'returns the user of the request (%s)',
    async (version) => {
      const sendRequest = testClient({ tokens: TOKENS, runtimeConfig: { 'api/all': 'true' } })
      const path = `/apis/authentication.k8s.io/${version}/selfsubjectreviews`
      const { status, json } = await sendRequest(path, { method: 'POST', headers: JANE, body: {} })
      expect(status).toBe(201)
      expect(json.status).toEqual({
        userInfo: { username: 'jane', uid: 'jane-uid', groups: ['dev', 'system:authenticated'] },
      })
    },
  )

  it('returns the impersonated user with all attributes', async () => {
    const sendRequest = testClient({ tokens: TOKENS })
    const headers = {
      authorization: 'Bearer root-token',
      'impersonate-user': 'joe',
      'impersonate-extra-scopes': 'one',
    }
    const { json } = await sendRequest('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      method: 'POST',
      headers,
      body: {},
    })
    expect(json.status).toEqual({
      userInfo: { username: 'joe', groups: ['system:authenticated'], extra: { scopes: ['one'] } },
    })
  })

  it('is forbidden to anonymous users', async () => {
    const sendRequest = testClient({ tokens: TOKENS })
    const { status } = await sendRequest('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      method: 'POST',
      headers: { authorization: '' },
      body: {},
    })
    expect(status).toBe(403)
  })
})

describe('SelfSubjectRulesReview and SelfSubjectAccessReview', () => {
  it('return the permissions of the user in a namespace', async () => {
    const sendRequest = testClient({ tokens: TOKENS })
    const root = { authorization: 'Bearer root-token' }
    await sendRequest('/api/v1/namespaces', {
      method: 'POST',
      headers: root,
      body: { metadata: { name: 'a' } },
    })
    const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }]
    await sendRequest(`${RBAC}/roles`, {
      method: 'POST',
      headers: root,
      body: { metadata: { name: 'r' }, rules },
    })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' }
    const subjects = [{ kind: 'User', name: 'jane' }]
    await sendRequest(`${RBAC}/rolebindings`, {
      method: 'POST',
      headers: root,
      body: { metadata: { name: 'b' }, subjects, roleRef },
    })
    const review = (kind: string, spec: object) =>
      sendRequest(`/apis/authorization.k8s.io/v1/${kind}`, {
        method: 'POST',
        headers: JANE,
        body: { spec },
      })
    const listed = await review('selfsubjectrulesreviews', { namespace: 'a' })
    const status = listed.json.status as { resourceRules: object[]; incomplete: boolean }
    expect(status.resourceRules).toContainEqual(rules[0])
    // The Node authorizer makes the list incomplete for nodes only.
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
