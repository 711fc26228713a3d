import { describe, expect, it } from 'vitest'
import { type SendRequest, testClient } from '../http/test-client'

const GROUP = 'rbac.authorization.k8s.io'
const BASE = `/apis/${GROUP}/v1`
const NAMESPACED = `${BASE}/namespaces/default`
const TOKENS = 'admin-token,admin,,"system:masters"\njane-token,jane,jane-uid,"dev"\n'

const role = (name: string, rules: unknown[] = []) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Role',
  metadata: { name },
  rules,
})
const clusterRole = (name: string, rules: unknown[] = [], more = {}) => ({
  ...role(name, rules),
  kind: 'ClusterRole',
  ...more,
})
const jane = { kind: 'User', name: 'jane' }
const binding = (name: string, kind: string, to: string, subjects: unknown[] = [jane]) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'RoleBinding',
  metadata: { name },
  subjects,
  roleRef: { kind, name: to },
})
const clusterBinding = (name: string, to: string, subjects: unknown[] = [jane]) => ({
  ...binding(name, 'ClusterRole', to, subjects),
  kind: 'ClusterRoleBinding',
})

const pods = (verbs: string[], more = {}) => ({
  apiGroups: [''],
  resources: ['pods'],
  verbs,
  ...more,
})
const GRANTING = {
  apiGroups: [GROUP],
  resources: ['roles', 'rolebindings'],
  verbs: ['create', 'get', 'update', 'patch', 'delete'],
}

const AS_JANE = { headers: { authorization: 'Bearer jane-token' } }

/** Grants jane writes of roles and bindings in the default namespace, and the rules. */
async function janesServer(...rules: unknown[]): Promise<SendRequest> {
  const sendRequest = testClient({ tokens: TOKENS })
  await sendRequest(`${NAMESPACED}/roles`, {
    method: 'POST',
    body: role('janes', [GRANTING, ...rules]),
  })
  await sendRequest(`${NAMESPACED}/rolebindings`, {
    method: 'POST',
    body: binding('janes', 'Role', 'janes'),
  })
  return sendRequest
}

const WHO =
  'user "jane" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n'

describe('rules of roles', () => {
  const sendRequest = testClient()

  it.each([
    [
      'verbs',
      { apiGroups: [''], resources: ['pods'] },
      'rules[0].verbs: Required value: verbs must contain at least one value',
    ],
    [
      'groups',
      { resources: ['pods'], verbs: ['get'] },
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    ],
    [
      'resources',
      { apiGroups: [''], verbs: ['get'] },
      'rules[0].resources: Required value: resource rules must supply at least one resource',
    ],
    [
      'no paths, which are not of a namespace',
      { nonResourceURLs: ['/x'], verbs: ['get'] },
      'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: namespaced rules cannot apply to non-resource URLs',
    ],
  ])('need %s', async (_, rule, problem) => {
    const { status, json } = await sendRequest(`${NAMESPACED}/roles`, {
      method: 'POST',
      body: role('r', [rule]),
    })
    expect(status).toBe(422)
    expect(json.message).toBe(`Role.${GROUP} "r" is invalid: ${problem}`)
  })

  it('of a ClusterRole may name non-resource URLs, but not next to resources', async () => {
    const paths = { nonResourceURLs: ['/x'], verbs: ['get'] }
    expect(
      await sendRequest(`${BASE}/clusterroles`, {
        method: 'POST',
        body: clusterRole('paths', [paths]),
      }),
    ).toMatchObject({ status: 201 })
    const { json } = await sendRequest(`${BASE}/clusterroles`, {
      method: 'POST',
      body: clusterRole('both', [{ ...paths, ...pods(['get']) }]),
    })
    expect(json.message).toContain(
      'rules cannot apply to both regular resources and non-resource URLs',
    )
  })

  it('come from valid clusterRoleSelectors in an aggregated ClusterRole', async () => {
    const aggregate = (name: string, clusterRoleSelectors: unknown[]) =>
      clusterRole(name, [], { aggregationRule: { clusterRoleSelectors } })
    const create = (body: unknown) => sendRequest(`${BASE}/clusterroles`, { method: 'POST', body })
    expect((await create(aggregate('a', []))).json.message).toContain(
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    )
    expect(
      (await create(aggregate('a', [{ matchExpressions: [{ key: 'a', operator: 'Near' }] }]))).json
        .message,
    ).toContain(
      'aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.',
    )
    expect(await create(aggregate('a', [{ matchLabels: { a: 'b' } }]))).toMatchObject({
      status: 201,
    })
  })
})

describe('bindings', () => {
  const sendRequest = testClient()
  const create = (body: unknown, plural = 'rolebindings') =>
    sendRequest(`${NAMESPACED}/${plural}`, { method: 'POST', body })

  it('default the apiGroup of roles, users and groups, not of service accounts', async () => {
    const { json } = await create(
      binding('filled', 'Role', 'r', [
        jane,
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's' },
      ]),
    )
    expect(json).toMatchObject({
      roleRef: { apiGroup: GROUP, kind: 'Role', name: 'r' },
      subjects: [
        { ...jane, apiGroup: GROUP },
        { kind: 'Group', name: 'g', apiGroup: GROUP },
        { kind: 'ServiceAccount', name: 's' },
      ],
    })
  })

  it.each([
    [
      binding('b', 'Roles', 'r'),
      'roleRef.kind: Unsupported value: "Roles": supported values: "Role", "ClusterRole"',
    ],
    [binding('b', 'Role', ''), 'roleRef.name: Required value'],
    [binding('b', 'Role', 'a/b'), 'roleRef.name: Invalid value: "a/b": may not contain \'/\''],
    [
      binding('b', 'Role', 'r', [{ kind: 'Robot', name: 'x' }]),
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
    [binding('b', 'Role', 'r', [{ kind: 'User' }]), 'subjects[0].name: Required value'],
    [
      binding('b', 'Role', 'r', [{ ...jane, apiGroup: 'v1' }]),
      `subjects[0].apiGroup: Unsupported value: "v1": supported values: "${GROUP}"`,
    ],
    [
      binding('b', 'Role', 'r', [{ kind: 'ServiceAccount', name: 's', apiGroup: GROUP }]),
      `subjects[0].apiGroup: Unsupported value: "${GROUP}": supported values: ""`,
    ],
  ])('require a valid roleRef and subjects: %j', async (body, problem) => {
    const { status, json } = await create(body)
    expect(status).toBe(422)
    expect(json.message).toBe(`RoleBinding.${GROUP} "b" is invalid: ${problem}`)
  })

  it('of the cluster require a ClusterRole, and a namespace for service accounts', async () => {
    const post = (body: unknown) =>
      sendRequest(`${BASE}/clusterrolebindings`, { method: 'POST', body })
    expect(
      (await post({ ...clusterBinding('b', 'r'), roleRef: { kind: 'Role', name: 'r' } })).json
        .message,
    ).toContain('roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"')
    expect(
      (await post(clusterBinding('b', 'r', [{ kind: 'ServiceAccount', name: 's' }]))).json.message,
    ).toContain('subjects[0].namespace: Required value')
  })

  it('have an immutable roleRef and mutable subjects', async () => {
    await create(binding('kept', 'Role', 'r'))
    const { status, json } = await sendRequest(`${NAMESPACED}/rolebindings/kept`, {
      method: 'PUT',
      body: binding('kept', 'Role', 's'),
    })
    expect(status).toBe(422)
    expect(json.message).toBe(
      `RoleBinding.${GROUP} "kept" is invalid: roleRef: Invalid value: rbac.RoleRef{APIGroup:"${GROUP}", Kind:"Role", Name:"s"}: cannot change roleRef`,
    )
    const changed = binding('kept', 'Role', 'r', [{ kind: 'Group', name: 'g' }])
    expect(
      await sendRequest(`${NAMESPACED}/rolebindings/kept`, { method: 'PUT', body: changed }),
    ).toMatchObject({ status: 200 })
  })
})

describe('bootstrap roles', () => {
  it('grant everything to the subjects of cluster-admin', async () => {
    const sendRequest = testClient({ tokens: TOKENS })
    const target = '/api/v1/namespaces/default/secrets'
    expect(await sendRequest(target, AS_JANE)).toMatchObject({ status: 403 })
    await sendRequest(`${BASE}/clusterrolebindings`, {
      method: 'POST',
      body: clusterBinding('janes', 'cluster-admin'),
    })
    expect(await sendRequest(target, AS_JANE)).toMatchObject({ status: 200 })
    expect(await sendRequest('/metrics', AS_JANE)).toMatchObject({ status: 200 })
  })
})

describe('escalation checks of writes to roles and bindings', () => {
  it('accept only rules that the user holds', async () => {
    const sendRequest = await janesServer(pods(['get', 'list']))
    const create = (rules: unknown[]) =>
      sendRequest(`${NAMESPACED}/roles`, { method: 'POST', body: role('new', rules), ...AS_JANE })
    const { status, json } = await create([
      pods(['get', 'delete', 'watch']),
      { ...pods(['get']), resources: ['secrets'] },
    ])
    expect(status).toBe(403)
    expect(json.message).toBe(
      `roles.${GROUP} "new" is forbidden: ${WHO}{APIGroups:[""], Resources:["pods"], Verbs:["delete" "watch"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
    )
    expect(await create([pods(['list'], { resourceNames: ['p'] })])).toMatchObject({ status: 201 })
  })

  it('apply to a change of labels, but not of finalizers', async () => {
    const sendRequest = await janesServer()
    await sendRequest(`${NAMESPACED}/roles`, { method: 'POST', body: role('big', [pods(['*'])]) })
    const patch = (metadata: unknown) =>
      sendRequest(`${NAMESPACED}/roles/big`, {
        method: 'PATCH',
        body: { metadata },
        headers: { ...AS_JANE.headers, 'content-type': 'application/merge-patch+json' },
      })
    expect(await patch({ labels: { a: 'b' } })).toMatchObject({ status: 403 })
    expect(await patch({ finalizers: ['example.com/x'] })).toMatchObject({ status: 200 })
    expect(await patch({ finalizers: null })).toMatchObject({ status: 200 })
  })

  it('return 403 before the object is validated', async () => {
    const sendRequest = await janesServer()
    const { status } = await sendRequest(`${NAMESPACED}/roles`, {
      method: 'POST',
      body: role('a/b', [pods(['get'])]),
      ...AS_JANE,
    })
    expect(status).toBe(403)
  })

  it('accept any rule with the verb escalate, by name only if the path has one', async () => {
    const escalate = {
      apiGroups: [GROUP],
      resources: ['roles'],
      verbs: ['escalate'],
      resourceNames: ['named'],
    }
    const sendRequest = await janesServer(escalate)
    const everything = role('named', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }])
    expect(
      await sendRequest(`${NAMESPACED}/roles`, { method: 'POST', body: everything, ...AS_JANE }),
    ).toMatchObject({ status: 403 })
    await sendRequest(`${NAMESPACED}/roles`, { method: 'POST', body: role('named') })
    expect(
      await sendRequest(`${NAMESPACED}/roles/named`, {
        method: 'PUT',
        body: everything,
        ...AS_JANE,
      }),
    ).toMatchObject({ status: 200 })
  })

  it('accept a binding to a role that the user holds, or with the verb bind', async () => {
    const bind = {
      apiGroups: [GROUP],
      resources: ['clusterroles'],
      verbs: ['bind'],
      resourceNames: ['admin'],
    }
    const sendRequest = await janesServer(pods(['get']), bind)
    await sendRequest(`${NAMESPACED}/roles`, {
      method: 'POST',
      body: role('small', [pods(['get'])]),
    })
    await sendRequest(`${NAMESPACED}/roles`, {
      method: 'POST',
      body: role('big', [pods(['delete'])]),
    })
    const create = (body: unknown) =>
      sendRequest(`${NAMESPACED}/rolebindings`, { method: 'POST', body, ...AS_JANE })
    expect(await create(binding('small', 'Role', 'small'))).toMatchObject({ status: 201 })
    expect(await create(binding('admin', 'ClusterRole', 'admin'))).toMatchObject({ status: 201 })
    const { status, json } = await create(binding('big', 'Role', 'big'))
    expect(status).toBe(403)
    expect(json.message).toBe(
      `rolebindings.${GROUP} "big" is forbidden: ${WHO}{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}`,
    )
  })

  it('reject a binding to a missing role or of an unknown kind', async () => {
    const sendRequest = await janesServer()
    const create = (body: unknown) =>
      sendRequest(`${NAMESPACED}/rolebindings`, { method: 'POST', body, ...AS_JANE })
    expect((await create(binding('b', 'Role', 'missing'))).json.message).toBe(
      `roles.${GROUP} "missing" not found`,
    )
    const unknown = await create(binding('b', 'Robot', 'x'))
    expect(unknown).toMatchObject({ status: 500 })
    expect(unknown.json.message).toBe('unsupported role reference kind: "Robot"')
  })

  it('require cluster-admin privileges for an aggregationRule', async () => {
    const sendRequest = testClient({ tokens: TOKENS })
    const write = { apiGroups: [GROUP], resources: ['clusterroles'], verbs: ['create'] }
    await sendRequest(`${BASE}/clusterroles`, {
      method: 'POST',
      body: clusterRole('janes', [write]),
    })
    await sendRequest(`${BASE}/clusterrolebindings`, {
      method: 'POST',
      body: clusterBinding('janes', 'janes'),
    })
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }
    const { status, json } = await sendRequest(`${BASE}/clusterroles`, {
      method: 'POST',
      body: clusterRole('sum', [], { aggregationRule }),
      ...AS_JANE,
    })
    expect(status).toBe(403)
    expect(json.message).toBe(
      `clusterroles.${GROUP} "sum" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    )
  })

  it('report which roles of the user are missing', async () => {
    const sendRequest = await janesServer()
    await sendRequest(`${NAMESPACED}/rolebindings`, {
      method: 'POST',
      body: binding('ghost', 'Role', 'ghost'),
    })
    const { json } = await sendRequest(`${NAMESPACED}/roles`, {
      method: 'POST',
      body: role('new', [pods(['get'])]),
      ...AS_JANE,
    })
    expect(json.message).toContain(
      `Verbs:["get"]}; resolution errors: [roles.${GROUP} "ghost" not found]`,
    )
  })
})
