/**
 * Startup reconciles default roles and bindings (kubernetes.io, "Using RBAC Authorization",
 * "Auto-reconciliation").
 */
import { expect, it } from 'vitest'
import { reconciledBinding, reconciledRole } from '../../src/engine/authorization/rbac/reconcile'
import type { KubeObject } from '../../src/engine/core/object'
import type { ApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { sendRequest, testServer } from '../support/server'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const ROLE = `${RBAC}/clusterroles/system:basic-user`
const BINDING = `${RBAC}/clusterrolebindings/system:basic-user`
const PROTECTED = {
  metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
}
const extra = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }

/** Returns the objects after a start over modified ones. */
async function afterStart(
  path: string,
  patch: object,
  change?: (server: ApiServer) => Promise<unknown>,
) {
  const storage = createMemoryStorage()
  const first = testServer({ storage })
  const { json: before } = await sendRequest(first, { path })
  if (change) await change(first)
  else
    await sendRequest(first, {
      method: 'PATCH',
      path,
      body: patch,
      headers: { 'content-type': 'application/merge-patch+json' },
    })
  const second = testServer({ storage })
  await second.ready()
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  return { before, after: (await sendRequest(second, { path })).json }
}

const selfReviews = (resource: string, group: string) => ({
  verbs: ['create'],
  apiGroups: [group],
  resources: [resource],
})

it('adds missing rules, one per permission, and keeps others', async () => {
  const { before, after } = await afterStart(ROLE, { rules: [extra] })
  expect(after.rules).toEqual([
    extra,
    selfReviews('selfsubjectaccessreviews', 'authorization.k8s.io'),
    selfReviews('selfsubjectrulesreviews', 'authorization.k8s.io'),
    selfReviews('selfsubjectreviews', 'authentication.k8s.io'),
  ])
  expect(after.metadata.uid).toBe(before.metadata.uid)
})

it('adds missing labels and annotations', async () => {
  const { before, after } = await afterStart(ROLE, {
    metadata: { labels: { 'kubernetes.io/bootstrapping': null, own: 'a' } },
  })
  expect(after.metadata.labels).toEqual({ ...before.metadata.labels, own: 'a' })
})

it('adds missing subjects', async () => {
  const own = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }
  const { before, after } = await afterStart(BINDING, { subjects: [own] })
  expect(after.subjects).toEqual([own, ...before.subjects])
})

it('recreates a binding to another role', async () => {
  const { before, after } = await afterStart(BINDING, {}, async (server) => {
    const { json } = await sendRequest(server, { path: BINDING })
    await sendRequest(server, { method: 'DELETE', path: BINDING })
    const roleRef = { ...json.roleRef, name: 'view' }
    const body = { ...json, metadata: { name: json.metadata.name }, roleRef }
    expect(
      (await sendRequest(server, { method: 'POST', path: `${RBAC}/clusterrolebindings`, body }))
        .status,
    ).toBe(201)
  })
  expect(after.roleRef).toEqual(before.roleRef)
})

it.each([ROLE, BINDING])('leaves objects that opt out: %s', async (path) => {
  const { after } = await afterStart(path, { ...PROTECTED, rules: [extra], subjects: [] })
  expect(after.rules ?? after.subjects ?? []).toEqual(path === ROLE ? [extra] : [])
})

it('writes nothing where nothing is missing', async () => {
  const { before, after } = await afterStart(ROLE, {}, async () => {})
  expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion)
})

const object = (members: object): KubeObject => ({
  kind: '',
  apiVersion: '',
  metadata: { name: 'a' },
  ...members,
})

it('restores an aggregationRule, but not the aggregated rules', () => {
  const selector = (name: string) => ({ matchLabels: { [name]: 'true' } })
  const gathering = (names: string[], rules: object[]) =>
    object({ rules, aggregationRule: { clusterRoleSelectors: names.map(selector) } })
  const { operation, object: found } = reconciledRole(
    gathering(['a'], []),
    gathering(['b'], [extra]),
  )
  expect([operation, found.aggregationRule, found.rules]).toEqual([
    'update',
    { clusterRoleSelectors: [selector('a'), selector('b')] },
    [],
  ])
  expect(reconciledRole(gathering(['a'], []), gathering(['a'], [extra])).operation).toBe('none')
})

it('does not add a rule that a wider rule covers', () => {
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }
  expect(reconciledRole(object({ rules: [all] }), object({ rules: [extra] })).operation).toBe(
    'none',
  )
  expect(reconciledRole(object({ rules: [all] }), object({ rules: [extra] }), true)).toMatchObject({
    operation: 'update',
    extra: [all],
  })
})

it('ignores the order of subjects', () => {
  const [a, b] = ['a', 'b'].map((name) => ({ kind: 'User', name }))
  const binding = (subjects: unknown[]) => object({ roleRef: { name: 'r' }, subjects })
  expect(reconciledBinding(binding([a, b]), binding([b, a]), true).operation).toBe('none')
})
