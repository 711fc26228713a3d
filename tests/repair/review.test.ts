/** `POST /kubetab/v1/repairs`. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Outbound } from '../../src/engine/core/outbound'
import { type Cluster, testCluster } from '../support/cluster'
import { configMap } from '../support/server'
import { review, send } from './support'

const MAPS = '/api/v1/namespaces/shop/configmaps'

let cluster: Cluster
let calls: string[]

const outbound: Outbound = {
  async post({ body }) {
    calls.push(body)
    const { uid } = (JSON.parse(body) as { request: { uid: string } }).request
    const response = { uid, allowed: false, status: { message: 'never' } }
    const json = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }
    return { status: 200, contentType: 'application/json', body: JSON.stringify(json) }
  },
}

beforeEach(async () => {
  calls = []
  cluster = await testCluster({ outbound })
})
afterEach(() => cluster.close())

const post = (body: unknown) =>
  cluster.sendRequest({ method: 'POST', path: '/kubetab/v1/repairs', body })

const HOOK = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'checks' },
  webhooks: [
    {
      name: 'check.example.com',
      clientConfig: { url: 'https://hook.example.com/check' },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['*'], operations: ['*'] }],
    },
  ],
}
const withHook = () =>
  send(cluster, {
    method: 'POST',
    path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    body: HOOK,
  })

describe('a review', () => {
  it.each([
    ['without a specification', {}],
    ['without a request', { spec: {} }],
    ['without a path', { spec: { request: { method: 'GET' } } }],
    ['of a review', { spec: { request: { method: 'POST', path: '/kubetab/v1/repairs' } } }],
    ['with an invalid method', { spec: { request: { method: 'get it', path: '/api' } } }],
    ['with an invalid user', { spec: { user: 1, request: { method: 'GET', path: '/api' } } }],
    [
      'with invalid groups',
      { spec: { user: 'a', groups: 'b', request: { method: 'GET', path: '/api' } } },
    ],
  ])('is rejected %s', async (_, body) => {
    expect(await post(body)).toMatchObject({ status: 400, json: { reason: 'BadRequest' } })
  })

  it('is posted', async () => {
    const path = '/kubetab/v1/repairs'
    expect((await cluster.sendRequest({ path })).status).toBe(405)
  })

  it('names the stage and the plugin that rejected the request', async () => {
    const rejected = { method: 'POST', path: MAPS, body: configMap('a') }
    expect(await review(cluster, rejected)).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "shop" not found',
      stage: 'mutating admission',
      plugin: 'NamespaceLifecycle',
    })
  })

  it('takes a body as text', async () => {
    const request = { method: 'POST', path: MAPS, body: JSON.stringify(configMap('a')) }
    const { json } = await post({ spec: { request } })
    expect(json.status.repairs).toMatchObject([{ kind: 'CreateNamespace' }])
  })

  it('needs permission to impersonate the user', async () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reviewer' },
      rules: [{ nonResourceURLs: ['/kubetab/v1/repairs'], verbs: ['post'] }],
    }
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    await send(cluster, { method: 'POST', path: `${rbac}/clusterroles`, body: role })
    await send(cluster, {
      method: 'POST',
      path: `${rbac}/clusterrolebindings`,
      body: {
        apiVersion: role.apiVersion,
        kind: 'ClusterRoleBinding',
        metadata: { name: 'reviewer' },
        subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reviewer' },
      },
    })
    const request = { method: 'GET', path: '/api/v1/secrets' }
    const { status, json } = await cluster.sendRequest({
      method: 'POST',
      path: '/kubetab/v1/repairs',
      token: 'alice',
      body: { spec: { user: 'admin', groups: ['system:masters'], request } },
    })
    expect(status).toBe(200)
    expect(json.status).toMatchObject({ code: 403, repairs: [] })
    expect(json.status.message).toContain('cannot impersonate')
  })
})

describe('webhooks', () => {
  const rejected = {
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body: configMap('a'),
  }

  it('see dry runs only, and their denial has no repair', async () => {
    await withHook()
    expect(await review(cluster, rejected)).toMatchObject({
      code: 400,
      explanations: [
        'Webhook "check.example.com" of validatingwebhookconfigurations/checks denied the request: ' +
          'only its server can decide otherwise.',
      ],
      repairs: [],
    })
    const dryRuns = calls.map(
      (body) => (JSON.parse(body) as { request: { dryRun: boolean } }).request.dryRun,
    )
    expect(dryRuns).toEqual([true])
  })

  it('are not called for the writes of a repair', async () => {
    await withHook()
    const { repairs } = await review(cluster, { method: 'POST', path: MAPS, body: configMap('a') })
    expect(repairs).toEqual([])
    expect(calls).toEqual([])
  })
})
