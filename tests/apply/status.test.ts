/**
 * An apply to the status endpoint writes and owns only what that endpoint writes. Recorded from
 * kube-apiserver 1.31.
 */
import { expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { testServer } from '../registry/server'

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const APPLY = 'application/apply-patch+yaml'

const web = (members: JsonObject): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  ...members,
})

it('writes the status, and metadata as far as the kind allows', async () => {
  const server = testServer()
  const labels = { app: 'web' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } }
  await server.send(
    'POST',
    DEPLOYMENTS,
    web({
      metadata: { name: 'web' },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    }),
  )
  const applied = web({
    metadata: { name: 'web', labels: { x: 'y' }, annotations: { a: 'b' } },
    spec: { replicas: 7 },
    status: { readyReplicas: 1, replicas: 1 },
  })
  const { status, body } = await server.send(
    'PATCH',
    `${DEPLOYMENTS}/web/status?fieldManager=controller`,
    applied,
    APPLY,
  )
  expect(status).toBe(200)
  expect(body).toMatchObject({
    metadata: { annotations: { a: 'b' } },
    spec: { replicas: 2 },
    status: { readyReplicas: 1 },
  })
  expect(body.metadata).not.toHaveProperty('labels')
  const entry = body.metadata.managedFields?.find(({ manager }) => manager === 'controller')
  expect(entry).toMatchObject({ operation: 'Apply', subresource: 'status' })
  expect(entry?.fieldsV1).toEqual({
    'f:metadata': { 'f:annotations': { 'f:a': {} } },
    'f:status': { 'f:readyReplicas': {}, 'f:replicas': {} },
  })
})

it('does not write the status through the main resource', async () => {
  const server = testServer()
  const labels = { app: 'web' }
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  }
  const applied = web({ metadata: { name: 'web' }, spec, status: { replicas: 3 } })
  const { body } = await server.send(
    'PATCH',
    `${DEPLOYMENTS}/web?fieldManager=alpha`,
    applied,
    APPLY,
  )
  expect(body.status).toEqual({})
  expect(Object.keys(body.metadata.managedFields?.[0]?.fieldsV1 ?? {})).toEqual(['f:spec'])
})

it.each<[string, string, JsonObject]>([
  [
    'storage.k8s.io/v1/volumeattachments',
    'VolumeAttachment',
    {
      spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } },
      status: { attached: true },
    },
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1/flowschemas',
    'FlowSchema',
    {
      spec: { priorityLevelConfiguration: { name: 'exempt' } },
      status: { conditions: [{ type: 'Known', status: 'True' }] },
    },
  ],
  [
    'apiregistration.k8s.io/v1/apiservices',
    'APIService',
    {
      spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
      status: { conditions: [{ type: 'Known', status: 'True' }] },
    },
  ],
])(
  'owns nothing of metadata where the status of %s leaves it alone',
  async (path, kind, { spec = {}, status = {} }) => {
    const server = testServer()
    const [group, version] = path.split('/')
    const object = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'v1.example.com' } }
    await server.send('POST', `/apis/${path}`, { ...object, spec })
    const applied = { ...object, metadata: { ...object.metadata, labels: { a: 'b' } }, status }
    const { body } = await server.send(
      'PATCH',
      `/apis/${path}/v1.example.com/status?fieldManager=controller`,
      applied,
      APPLY,
    )
    expect(body.metadata).not.toHaveProperty('labels')
    const entry = body.metadata.managedFields?.find(({ manager }) => manager === 'controller')
    expect(Object.keys(entry?.fieldsV1 ?? {})).toEqual(['f:status'])
  },
)

it('an apply to `ephemeralcontainers` conflicts with the whole pod, but owns nothing', async () => {
  const server = testServer()
  const pods = '/api/v1/namespaces/default/pods'
  await server.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'default' },
  })
  await server.send('POST', `${pods}?fieldManager=alpha`, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'c:1' }] },
  })
  const through = async (image: string) => {
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image }] },
    }
    return server.send<KubeObject & { message?: string }>(
      'PATCH',
      `${pods}/p/ephemeralcontainers?fieldManager=beta`,
      body,
      'application/apply-patch+yaml',
    )
  }
  expect((await through('c:2')).body.message).toBe(
    'Apply failed with 1 conflict: conflict with "alpha" using v1: .spec.containers[name="c"].image',
  )
  const { body } = await through('c:1')
  expect(body.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['alpha'])
})

// Recorded from kube-apiserver 1.31.
it('creates through status only a Service, without addresses', async () => {
  const server = testServer()
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{ port: 80 }] },
  }
  const SERVICE = '/api/v1/namespaces/default/services/a'
  const { status, body } = await server.send(
    'PATCH',
    `${SERVICE}/status?fieldManager=m`,
    service,
    APPLY,
  )
  expect(status).toBe(201)
  expect(body.spec).not.toHaveProperty('clusterIP')
  const written = await server.send(
    'PATCH',
    SERVICE,
    { metadata: { labels: { a: 'b' } } },
    'application/merge-patch+json',
  )
  expect(written.body.spec).toHaveProperty('clusterIP')
  const missing = await server.send(
    'PATCH',
    `${DEPLOYMENTS}/gone/status?fieldManager=m`,
    web({ metadata: { name: 'gone' } }),
    APPLY,
  )
  expect(missing.status).toBe(404)
})
