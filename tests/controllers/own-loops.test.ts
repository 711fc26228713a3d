/** What the API server looks after by itself: flow schemas that name a priority level, API services that others stand behind. */
import { expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/object'
import { type TestServer, testServer } from '../registry/server'
import { ask } from '../support/server'

interface Conditioned extends KubeObject {
  status?: { conditions?: { type: string; status: string; reason: string; message: string }[] }
}

const SCHEMAS = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas'
const LEVELS = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations'
const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
const SERVICES = '/api/v1/namespaces/default/services'

const reasonOf = async (server: TestServer, path: string) =>
  (await server.send<Conditioned>('GET', path)).body.status?.conditions?.[0]?.reason

const flow = (kind: string, name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind,
  metadata: { name },
  spec,
})

it('tells of a flow schema whether its priority level is there, now and later', async () => {
  const server = testServer()
  await server.send('POST', SCHEMAS, flow('FlowSchema', 'reports', { priorityLevelConfiguration: { name: 'slow' } }))
  await expect.poll(() => reasonOf(server, `${SCHEMAS}/reports`)).toBe('NotFound')
  await server.send(
    'POST',
    LEVELS,
    flow('PriorityLevelConfiguration', 'slow', { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } }),
  )
  await expect.poll(() => reasonOf(server, `${SCHEMAS}/reports`)).toBe('Found')
  await server.send('DELETE', `${LEVELS}/slow`)
  await expect.poll(() => reasonOf(server, `${SCHEMAS}/reports`)).toBe('NotFound')
})

it('leaves the flow schemas of a fresh server as they are', async () => {
  const server = testServer()
  const first = await server.send('GET', `${SCHEMAS}/catch-all`)
  expect((await server.send('GET', `${SCHEMAS}/catch-all`)).body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion)
})

it('says why the servers behind an API service cannot be asked, and answers for them meanwhile', async () => {
  const server = testServer()
  const spec = { group: 'metrics.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 }
  const service = { namespace: 'default', name: 'metrics' }
  const object = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: 'v1.metrics.example.com' } }
  await server.send('POST', API_SERVICES, { ...object, spec: { ...spec, service } })
  const path = `${API_SERVICES}/v1.metrics.example.com`
  await expect.poll(() => reasonOf(server, path)).toBe('ServiceNotFound')
  const behind = (port: number) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'metrics' }, spec: { ports: [{ port }] } })
  await server.send('POST', SERVICES, behind(80))
  await expect.poll(() => reasonOf(server, path)).toBe('ServicePortError')
  await server.send('PUT', `${SERVICES}/metrics`, behind(443))
  await expect.poll(() => reasonOf(server, path)).toBe('EndpointsNotFound')
  const statusOf = async (target: string) => (await ask(server.api, { path: target, token: 'admin-token' })).status
  expect(await statusOf('/apis/metrics.example.com/v1/things')).toBe(503)
  await server.send('DELETE', path)
  await expect.poll(() => statusOf('/apis/metrics.example.com/v1')).toBe(404)
})
