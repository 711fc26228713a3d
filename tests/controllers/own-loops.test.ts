/** Controllers inside the API server: FlowSchemas, PriorityLevelConfigurations and APIServices. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type TestServer, testServer } from '../registry/server'
import { sendRequest } from '../support/server'

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

it('sets the Dangling condition of a FlowSchema, now and later', async () => {
  const server = testServer()
  await server.send(
    'POST',
    SCHEMAS,
    flow('FlowSchema', 'reports', { priorityLevelConfiguration: { name: 'slow' } }),
  )
  await expect.poll(() => reasonOf(server, `${SCHEMAS}/reports`)).toBe('NotFound')
  await server.send(
    'POST',
    LEVELS,
    flow('PriorityLevelConfiguration', 'slow', {
      type: 'Limited',
      limited: { limitResponse: { type: 'Reject' } },
    }),
  )
  await expect.poll(() => reasonOf(server, `${SCHEMAS}/reports`)).toBe('Found')
  await server.send('DELETE', `${LEVELS}/slow`)
  await expect.poll(() => reasonOf(server, `${SCHEMAS}/reports`)).toBe('NotFound')
})

it('does not write the FlowSchemas of a new server', async () => {
  const server = testServer()
  const first = await server.send('GET', `${SCHEMAS}/catch-all`)
  expect((await server.send('GET', `${SCHEMAS}/catch-all`)).body.metadata.resourceVersion).toBe(
    first.body.metadata.resourceVersion,
  )
})

describe('mandatory and suggested FlowSchemas and PriorityLevelConfigurations', () => {
  const KEPT = 'apf.kubernetes.io/autoupdate-spec'
  const produced = { manager: 'api-priority-and-fairness-config-producer-v1', operation: 'Update' }
  const precedence = (object: KubeObject) =>
    (object.spec as { matchingPrecedence: number }).matchingPrecedence
  const merge = (server: TestServer, path: string, patch: JsonObject) =>
    server.send('PATCH', path, patch, 'application/merge-patch+json')

  /** Advances the clock and waits for due work. */
  async function pass(server: TestServer, milliseconds: number): Promise<void> {
    server.clock.advance(milliseconds)
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  /** Returns the objects after the next check, which runs once a minute. */
  async function kept(change: (server: TestServer) => Promise<unknown>, path: string) {
    const server = testServer()
    await server.api.ready()
    await pass(server, 70_000)
    await change(server)
    await pass(server, 49_000)
    const before = await server.send('GET', path)
    await pass(server, 2_000)
    return { before, after: await server.send('GET', path), server }
  }

  it.each([`${SCHEMAS}/exempt`, `${SCHEMAS}/probes`, `${LEVELS}/catch-all`, `${LEVELS}/system`])(
    'are recreated: %s',
    async (path) => {
      const { before, after } = await kept((server) => server.send('DELETE', path), path)
      expect(before.status).toBe(404)
      expect(after.body.metadata).toMatchObject({
        annotations: { [KEPT]: 'true' },
        managedFields: expect.arrayContaining([expect.objectContaining(produced)]),
      })
    },
  )

  it('get their spec back', async () => {
    const path = `${SCHEMAS}/probes`
    const { before, after } = await kept(
      (server) => merge(server, path, { spec: { matchingPrecedence: 7 } }),
      path,
    )
    expect([precedence(before.body), precedence(after.body)]).toEqual([7, 2])
  })

  it('are left to an administrator with auto-update false', async () => {
    const path = `${SCHEMAS}/probes`
    const patch = {
      metadata: { annotations: { [KEPT]: 'false' } },
      spec: { matchingPrecedence: 7 },
    }
    const { after } = await kept((server) => merge(server, path, patch), path)
    expect(precedence(after.body)).toBe(7)
  })

  it('get the auto-update annotation, false if they were changed', async () => {
    const path = `${SCHEMAS}/probes`
    const unmarked = { metadata: { annotations: null } }
    const same = await kept((server) => merge(server, path, unmarked), path)
    expect(same.after.body.metadata.annotations).toEqual({ [KEPT]: 'true' })
    const changed = await kept(
      (server) => merge(server, path, { ...unmarked, spec: { matchingPrecedence: 7 } }),
      path,
    )
    expect(changed.after.body.metadata.annotations).toEqual({ [KEPT]: 'false' })
    expect(precedence(changed.after.body)).toBe(7)
  })

  it("keep the administrator's shares of the exempt level", async () => {
    const path = `${LEVELS}/exempt`
    const { after } = await kept(
      (server) => merge(server, path, { spec: { exempt: { lendablePercent: 50 } } }),
      path,
    )
    expect(after.body.spec).toMatchObject({ exempt: { lendablePercent: 50 } })
  })

  it('delete unknown objects with the auto-update annotation', async () => {
    const spec = { priorityLevelConfiguration: { name: 'system' } }
    const path = `${SCHEMAS}/own`
    const add = (annotations: JsonObject) => (server: TestServer) =>
      server.send('POST', SCHEMAS, {
        ...flow('FlowSchema', 'own', spec),
        metadata: { name: 'own', annotations },
      })
    expect((await kept(add({ [KEPT]: 'true' }), path)).after.status).toBe(404)
    expect((await kept(add({}), path)).after.status).toBe(200)
  })

  it('are not written without changes', async () => {
    const server = testServer()
    const versionOf = async () =>
      (await server.send('GET', `${SCHEMAS}/exempt`)).body.metadata.resourceVersion
    const first = await versionOf()
    await pass(server, 300_000)
    expect(await versionOf()).toBe(first)
  })
})

it('reports why an APIService is unavailable, and responds with 503 meanwhile', async () => {
  const server = testServer()
  const spec = {
    group: 'metrics.example.com',
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 10,
  }
  const service = { namespace: 'default', name: 'metrics' }
  const object = {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.metrics.example.com' },
  }
  await server.send('POST', API_SERVICES, { ...object, spec: { ...spec, service } })
  const path = `${API_SERVICES}/v1.metrics.example.com`
  await expect.poll(() => reasonOf(server, path)).toBe('ServiceNotFound')
  const behind = (port: number) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'metrics' },
    spec: { ports: [{ port }] },
  })
  await server.send('POST', SERVICES, behind(80))
  await expect.poll(() => reasonOf(server, path)).toBe('ServicePortError')
  await server.send('PUT', `${SERVICES}/metrics`, behind(443))
  await expect.poll(() => reasonOf(server, path)).toBe('EndpointsNotFound')
  const statusOf = async (target: string) =>
    (await sendRequest(server.api, { path: target, token: 'admin-token' })).status
  expect(await statusOf('/apis/metrics.example.com/v1/things')).toBe(503)
  await server.send('DELETE', path)
  await expect.poll(() => statusOf('/apis/metrics.example.com/v1')).toBe(404)
})
