/** Every namespace has a default ServiceAccount, which pods need at creation. */
import { expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { sendRequest, testServer } from '../support/server'

const ACCOUNT = '/api/v1/namespaces/shop/serviceaccounts/default'
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
}
const statusOf = async (server: ReturnType<typeof testServer>, path: string) =>
  (await sendRequest(server, { path })).status

it('exists in the namespaces of a new server and in later ones', async () => {
  const server = testServer({ controllers: ['*'] })
  await server.ready()
  await expect.poll(() => statusOf(server, ACCOUNT.replace('shop', 'default'))).toBe(200)
  await sendRequest(server, { method: 'POST', path: '/api/v1/namespaces', body: namespace })
  await expect.poll(() => statusOf(server, ACCOUNT)).toBe(200)
  expect(
    (await sendRequest(server, { method: 'POST', path: '/api/v1/namespaces/shop/pods', body: pod }))
      .status,
  ).toBe(201)
})

it('is recreated after deletion', async () => {
  const server = testServer({ controllers: ['serviceaccount-controller'] })
  await sendRequest(server, { method: 'POST', path: '/api/v1/namespaces', body: namespace })
  await expect.poll(() => statusOf(server, ACCOUNT)).toBe(200)
  const { json: before } = await sendRequest(server, { path: ACCOUNT })
  await sendRequest(server, { method: 'DELETE', path: ACCOUNT })
  await expect
    .poll(
      async () =>
        (await sendRequest(server, { path: ACCOUNT })).json?.metadata?.uid ?? before.metadata.uid,
    )
    .not.toBe(before.metadata.uid)
})

it('is missing without controllers, and pod creation waits for it for a while', async () => {
  const clock = new SimulatedClock()
  const server = testServer({ clock })
  await sendRequest(server, { method: 'POST', path: '/api/v1/namespaces', body: namespace })
  expect(await statusOf(server, ACCOUNT)).toBe(404)
  const requested = sendRequest(server, {
    method: 'POST',
    path: '/api/v1/namespaces/shop/pods',
    body: pod,
  })
  let responded = false
  void requested.then(() => {
    responded = true
  })
  const later = () => {
    clock.advance(500)
    return responded
  }
  await expect.poll(later).toBe(true)
  const { status, json } = await requested
  expect([status, json.message]).toEqual([
    403,
    'pods "web" is forbidden: error looking up service account shop/default: serviceaccount "default" not found',
  ])
})

it('may be created while a pod waits for it', async () => {
  const server = testServer()
  await sendRequest(server, { method: 'POST', path: '/api/v1/namespaces', body: namespace })
  const requested = sendRequest(server, {
    method: 'POST',
    path: '/api/v1/namespaces/shop/pods',
    body: pod,
  })
  await sendRequest(server, {
    method: 'POST',
    path: ACCOUNT.replace('/default', ''),
    body: { metadata: { name: 'default' } },
  })
  expect((await requested).status).toBe(201)
  // No controller creates any other account.
  const other = {
    ...pod,
    metadata: { name: 'other' },
    spec: { ...pod.spec, serviceAccountName: 'mine' },
  }
  expect(
    (
      await sendRequest(server, {
        method: 'POST',
        path: '/api/v1/namespaces/shop/pods',
        body: other,
      })
    ).status,
  ).toBe(403)
})

it('rejects unknown names of controllers', () => {
  expect(() => testServer({ controllers: ['*', '-missing'] })).toThrow(
    '"-missing" is not in the list of known controllers',
  )
})

it('has the kube-root-ca.crt ConfigMap, whose description is restored as well', async () => {
  const server = testServer({ controllers: ['root-ca-certificate-publisher-controller'] })
  const path = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt'
  await expect.poll(() => statusOf(server, path)).toBe(200)
  const { json: before } = await sendRequest(server, { path })
  const headers = { 'content-type': 'application/merge-patch+json' }
  await sendRequest(server, {
    method: 'PATCH',
    path,
    body: { metadata: { annotations: null } },
    headers,
  })
  await expect
    .poll(async () => (await sendRequest(server, { path })).json.metadata.annotations)
    .toEqual(before.metadata.annotations)
})

it('drops the reference to a deleted token Secret', async () => {
  const server = testServer({ controllers: ['*'] })
  const core = '/api/v1/namespaces/default'
  await sendRequest(server, {
    method: 'POST',
    path: `${core}/serviceaccounts`,
    body: { metadata: { name: 'robot' } },
  })
  const annotations = { 'kubernetes.io/service-account.name': 'robot' }
  const type = 'kubernetes.io/service-account-token'
  await sendRequest(server, {
    method: 'POST',
    path: `${core}/secrets`,
    body: { metadata: { name: 'key', annotations }, type },
  })
  await expect
    .poll(
      async () => (await sendRequest(server, { path: `${core}/secrets/key` })).json.data?.namespace,
    )
    .toBeDefined()
  const headers = { 'content-type': 'application/merge-patch+json' }
  const body = { secrets: [{ name: 'key' }, { name: 'other' }] }
  await sendRequest(server, {
    method: 'PATCH',
    path: `${core}/serviceaccounts/robot`,
    body,
    headers,
  })
  await sendRequest(server, { method: 'DELETE', path: `${core}/secrets/key` })
  await expect
    .poll(
      async () =>
        (await sendRequest(server, { path: `${core}/serviceaccounts/robot` })).json.secrets,
    )
    .toEqual([{ name: 'other' }])
})

it('keeps the namespace in a token Secret', async () => {
  const server = testServer({ controllers: ['*'] })
  const core = '/api/v1/namespaces/default'
  await sendRequest(server, {
    method: 'POST',
    path: `${core}/serviceaccounts`,
    body: { metadata: { name: 'robot' } },
  })
  const metadata = { name: 'key', annotations: { 'kubernetes.io/service-account.name': 'robot' } }
  const body = {
    metadata,
    type: 'kubernetes.io/service-account-token',
    data: { namespace: 'b3RoZXI=' },
  }
  await sendRequest(server, { method: 'POST', path: `${core}/secrets`, body })
  const uid = 'kubernetes.io/service-account.uid'
  await expect
    .poll(
      async () =>
        (await sendRequest(server, { path: `${core}/secrets/key` })).json.metadata.annotations[uid],
    )
    .toBeDefined()
  expect((await sendRequest(server, { path: `${core}/secrets/key` })).json.data.namespace).toBe(
    'b3RoZXI=',
  )
})
