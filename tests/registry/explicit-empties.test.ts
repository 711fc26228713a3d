/**
 * Empty lists and maps are not stored, but some errors and defaults distinguish them from absent
 * ones. Recorded from kube-apiserver 1.31.
 */
import { expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Causes, testServer } from './server'

const server = testServer()
const NAMESPACE = '/api/v1/namespaces/default'
const pod = { containers: [{ name: 'c', image: 'i' }] }
const messages = async (path: string, body: JsonObject) =>
  (await server.send<Causes>('POST', path, body)).body.details?.causes?.map(
    ({ message }) => message,
  )

it.each([
  [{ labels: {} }, 'map[string]string{}'],
  [{}, 'map[string]string(nil)'],
])('the labels of a template that its selector does not match: %j', async (metadata, shown) => {
  const template = { metadata, spec: pod }
  const why = `Invalid value: ${shown}: \`selector\` does not match template \`labels\``
  const deployment = {
    metadata: { name: 'a' },
    spec: { selector: { matchLabels: { a: 'b' } }, template },
  }
  expect(await messages('/apis/apps/v1/namespaces/default/deployments', deployment)).toEqual([why])
  const controller = { metadata: { name: 'a' }, spec: { selector: { a: 'b' }, template } }
  expect(await messages(`${NAMESPACE}/replicationcontrollers`, controller)).toEqual([why])
})

it.each([
  [{ capacity: {} }, 'core.ResourceList{}'],
  [{}, 'core.ResourceList(nil)'],
])('the capacity of a volume: %j', async (given, shown) => {
  const volume = {
    metadata: { name: 'a' },
    spec: { accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' }, ...given },
  }
  expect(await messages('/api/v1/persistentvolumes', volume)).toEqual([
    'Required value',
    `Unsupported value: ${shown}: supported values: "storage"`,
  ])
})

it('the overhead of a pod without a runtime class', async () => {
  await server.send('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } })
  const { status, body } = await server.send<{ message: string }>('POST', `${NAMESPACE}/pods`, {
    metadata: { name: 'a' },
    spec: { ...pod, overhead: {} },
  })
  expect([status, body.message]).toEqual([
    403,
    'pods "a" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  ])
})

it('the accessModes of a claim, which are immutable', async () => {
  const CLAIMS = `${NAMESPACE}/persistentvolumeclaims`
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await server.send('POST', CLAIMS, { metadata: { name: 'a' }, spec })
  const changed = (accessModes: string[] | null) =>
    server.send<Causes>(
      'PATCH',
      `${CLAIMS}/a`,
      { spec: { accessModes } },
      'application/merge-patch+json',
    )
  expect(JSON.stringify((await changed([])).body)).toContain(
    'AccessModes: []core.PersistentVolumeAccessMode{},',
  )
  expect(JSON.stringify((await changed(null)).body)).toContain('AccessModes: nil,')
})

it('lists of a pod that a feature gate or the stored pod overrides', async () => {
  await server.send('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } })
  await server.send('POST', `${NAMESPACE}/pods`, { metadata: { name: 'unchanging' }, spec: pod })
  const containers = [{ name: 'c', image: 'i', command: ['x'], resizePolicy: [] }]
  const change = { spec: { containers, schedulingGates: [] } }
  const { status, body } = await server.send<{ message: string }>(
    'PATCH',
    `${NAMESPACE}/pods/unchanging`,
    change,
    'application/strategic-merge-patch+json',
  )
  expect([status, body.message.includes('Command:')]).toEqual([422, true])
  expect(body.message).not.toMatch(/ResizePolicy|SchedulingGates/)
})

it.each([
  [{ rules: [] }, '[]networking.IngressRule{}'],
  [{}, '[]networking.IngressRule(nil)'],
])('the rules of an ingress without a default backend: %j', async (spec, shown) => {
  expect(
    await messages('/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
      metadata: { name: 'a' },
      spec,
    }),
  ).toEqual([`Invalid value: ${shown}: either \`defaultBackend\` or \`rules\` must be specified`])
})

it('the scopes of a quota, which are immutable', async () => {
  const QUOTAS = `${NAMESPACE}/resourcequotas`
  await server.send('POST', QUOTAS, {
    metadata: { name: 'a' },
    spec: { hard: { pods: '1' }, scopes: ['BestEffort'] },
  })
  const changed = async (scopes: string[] | null) =>
    (
      await server.send<Causes>(
        'PATCH',
        `${QUOTAS}/a`,
        { spec: { scopes } },
        'application/merge-patch+json',
      )
    ).body.details?.causes
  const why = 'field is immutable'
  expect(await changed([])).toMatchObject([
    { message: `Invalid value: []core.ResourceQuotaScope{}: ${why}` },
  ])
  expect(await changed(null)).toMatchObject([
    { message: `Invalid value: []core.ResourceQuotaScope(nil): ${why}` },
  ])
})

it('the labels of a replication controller whose status update has none', async () => {
  const CONTROLLERS = `${NAMESPACE}/replicationcontrollers`
  const template = { metadata: { labels: { a: 'b' } }, spec: pod }
  await server.send('POST', CONTROLLERS, { metadata: { name: 'a' }, spec: { template } })
  const status = {
    metadata: { name: 'a', labels: {} },
    spec: { template: null },
    status: { replicas: 1 },
  }
  const { body } = await server.send<KubeObject>('PUT', `${CONTROLLERS}/a/status`, status)
  expect(body).toMatchObject({ metadata: { labels: { a: 'b' } }, status: { replicas: 1 } })
})

it('lists of a pod that the server rebuilds', async () => {
  await server.send('POST', `${NAMESPACE}/pods`, { metadata: { name: 'built' }, spec: pod })
  const containers = [{ name: 'c', command: ['x'], volumeMounts: [], args: [] }]
  const change = { spec: { containers, volumes: [], initContainers: [] } }
  const { status, body } = await server.send<{ message: string }>(
    'PATCH',
    `${NAMESPACE}/pods/built`,
    change,
    'application/merge-patch+json',
  )
  expect([status, body.message.includes('Args:       []string{}')]).toEqual([422, true])
  expect(body.message).not.toMatch(/core\.Volume{}|core\.VolumeMount{}|InitContainers: \[\]/)
})

it('the webhooks of a configuration: each write of an empty list or map is a change', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
  const webhook = {
    name: 'a.example.com',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }
  await server.send('POST', path, { metadata: { name: 'a' }, webhooks: [webhook] })
  const generationAfter = async (more: JsonObject) =>
    (
      await server.send<KubeObject>(
        'PATCH',
        `${path}/a`,
        { webhooks: [{ ...webhook, ...more }] },
        'application/merge-patch+json',
      )
    ).body.metadata.generation
  expect(await generationAfter({ namespaceSelector: { matchLabels: { a: null } } })).toBe(2)
  expect(await generationAfter({ namespaceSelector: { matchExpressions: [] } })).toBe(3)
  expect(await generationAfter({ matchConditions: [] })).toBe(4)
  expect(await generationAfter({ namespaceSelector: null })).toBe(4)
})
