import { beforeEach, describe, expect, test } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { type SendRequest, testClient } from '../http/test-client'
import { DEFINITIONS, define, definition, settled, WIDGETS, widget } from './widgets'

let sendRequest: SendRequest
let clock: SimulatedClock
beforeEach(() => {
  clock = new SimulatedClock()
  sendRequest = testClient({ clock })
})

async function conditions(name: string): Promise<Record<string, string>> {
  const { json } = await sendRequest(`${DEFINITIONS}/${name}`)
  const { conditions } = json.status as {
    conditions: { type: string; status: string; reason: string }[]
  }
  return Object.fromEntries(
    conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]),
  )
}

describe('a definition', () => {
  test('makes its group, version and resource appear, and takes them with it', async () => {
    expect((await sendRequest('/apis/example.com')).status).toBe(404)
    await define(sendRequest, definition('widgets', 'Widget'))
    expect(await conditions('widgets.example.com')).toEqual({
      NamesAccepted: 'True NoConflicts',
      Established: 'True InitialNamesAccepted',
    })
    const { json } = await sendRequest('/apis/example.com/v1')
    expect(json.resources).toMatchObject([
      { name: 'widgets', singularName: 'widget', kind: 'Widget', namespaced: true },
    ])
    expect((await sendRequest('/openapi/v3')).json.paths as object).toHaveProperty(
      'apis/example.com/v1',
    )
    expect((await sendRequest(WIDGETS)).json.items).toEqual([])

    await sendRequest(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await sendRequest(`${DEFINITIONS}/widgets.example.com`)).status).toBe(404)
    expect(await sendRequest(WIDGETS)).toMatchObject({ status: 404, text: '404 page not found\n' })
    expect((await sendRequest('/apis/example.com')).status).toBe(404)
  })

  test('has names in its status that could be names', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    const headers = { 'content-type': 'application/merge-patch+json' }
    const body = { status: { acceptedNames: { kind: 'no_kind' } } }
    const { json } = await sendRequest(`${DEFINITIONS}/widgets.example.com/status`, {
      method: 'PATCH',
      headers,
      body,
    })
    expect(json).toMatchObject({
      code: 422,
      details: { causes: [{ field: 'status.acceptedNames.kind' }] },
    })
  })

  test('always lists the storage version in storedVersions', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    const merge = { 'content-type': 'application/merge-patch+json' }
    const at = `${DEFINITIONS}/widgets.example.com/status`
    const { json } = await sendRequest(at, {
      method: 'PATCH',
      headers: merge,
      body: { status: { storedVersions: null } },
    })
    expect(json).toMatchObject({ status: { storedVersions: ['v1'] } })
  })

  test('is in discovery by name, without a storage version that is not served', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    const more = { name: 'v2', served: false, storage: true }
    const body = definition('gadgets', 'Gadget', {}, { storage: false })
    body.spec.versions.push({
      ...(body.spec.versions[0] as (typeof body.spec.versions)[0]),
      ...more,
    })
    await define(sendRequest, body)
    const { json } = await sendRequest('/apis/example.com/v1')
    const found = json.resources as { name: string; storageVersionHash?: string }[]
    expect(
      found.map(({ name, storageVersionHash }) => [name, storageVersionHash !== undefined]),
    ).toEqual([
      ['gadgets', false],
      ['widgets', true],
    ])
  })

  test('rejects conversion webhooks if it sets preserveUnknownFields', async () => {
    const spec = { preserveUnknownFields: true, conversion: { strategy: 'Webhook' } }
    const { json } = await sendRequest(DEFINITIONS, {
      method: 'POST',
      body: definition('widgets', 'Widget', spec),
    })
    expect(json.message).toContain(
      'spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema',
    )
    expect(json.message).toContain(
      'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
    )
  })

  test.each([
    [{ additionalProperties: 'x' }, 'boolean or JSON schema expected'],
    [
      { items: [3] },
      'cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items of type v1.JSONSchemaProps',
    ],
  ])('is rejected if a schema has another type', async (word, why) => {
    const openAPIV3Schema = { type: 'object', ...word }
    const { status, json } = await sendRequest(DEFINITIONS, {
      method: 'POST',
      body: definition('widgets', 'Widget', {}, { schema: { openAPIV3Schema } }),
    })
    expect([status, json.message]).toEqual([400, expect.stringContaining(why)])
  })

  test('drops an empty webhook', async () => {
    for (const webhook of [{}, { conversionReviewVersions: [] }, { clientConfig: null }]) {
      const body = definition('widgets', 'Widget', { conversion: { strategy: 'None', webhook } })
      const { json } = await sendRequest(`${DEFINITIONS}?dryRun=All`, { method: 'POST', body })
      expect(json.spec).toHaveProperty('conversion', { strategy: 'None' })
    }
  })

  test('has no items where their place holds no schema', async () => {
    const openAPIV3Schema = { type: 'object', properties: { a: { type: 'string', items: [] } } }
    await define(sendRequest, definition('widgets', 'Widget', {}, { schema: { openAPIV3Schema } }))
    const { json } = await sendRequest(`${DEFINITIONS}/widgets.example.com`)
    expect(JSON.stringify(json.spec)).not.toContain('"items"')
  })

  test('may name a version twice among those that objects were stored in', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    const headers = { 'content-type': 'application/merge-patch+json' }
    const path = `${DEFINITIONS}/widgets.example.com`
    await sendRequest(`${path}/status`, {
      method: 'PATCH',
      headers,
      body: { status: { storedVersions: ['v1', 'v1'] } },
    })
    expect(
      (
        await sendRequest(path, {
          method: 'PATCH',
          headers,
          body: { metadata: { labels: { a: 'b' } } },
        })
      ).status,
    ).toBe(200)
  })

  test('waits for a name that another one has, and gets it when that one goes', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    await define(sendRequest, definition('gadgets', 'Widget'))
    expect(await conditions('gadgets.example.com')).toEqual({
      NamesAccepted: 'False ListKindConflict',
      Established: 'False NotAccepted',
    })
    expect((await sendRequest('/apis/example.com/v1/gadgets')).status).toBe(404)
    await sendRequest(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await sendRequest('/apis/example.com/v1/gadgets')).status).toBe(200)
  })

  test('has an API service for every version that is served, as long as one is', async () => {
    const service = '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com'
    await define(sendRequest, definition('widgets', 'Widget'))
    await define(sendRequest, definition('gadgets', 'Gadget'))
    const { json } = await sendRequest(service)
    expect(json).toMatchObject({
      metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
      spec: {
        group: 'example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 100,
      },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    })
    await sendRequest(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await sendRequest(service)).status).toBe(200)
    await sendRequest(`${DEFINITIONS}/gadgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await sendRequest(service)).status).toBe(404)
  })

  test('has none for a version that it no longer has', async () => {
    const services = '/apis/apiregistration.k8s.io/v1/apiservices'
    const name = `${DEFINITIONS}/widgets.example.com`
    await define(sendRequest, definition('widgets', 'Widget'))
    const versions = (
      (await sendRequest(name)).json.spec as { versions: Record<string, unknown>[] }
    ).versions
    const statuses = async () => [
      (await sendRequest(`${services}/v1.example.com`)).status,
      (await sendRequest(`${services}/v4.example.com`)).status,
    ]
    const change = async (now: unknown[]) => {
      await sendRequest(name, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { spec: { versions: now } },
      })
      await settled()
    }
    await change([...versions, { ...versions[0], name: 'v4', storage: false }])
    expect(await statuses()).toEqual([200, 200])
    await change(versions)
    expect(await statuses()).toEqual([200, 404])
  })

  test('is listed, but not served, in a group that is built into the server', async () => {
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' }
    const body = definition(
      'widgets',
      'Widget',
      { group: 'scheduling.k8s.io' },
      { name: 'v1beta7' },
    )
    await define(sendRequest, {
      ...body,
      metadata: { name: 'widgets.scheduling.k8s.io', annotations },
    })
    const { versions } = (await sendRequest('/apis/scheduling.k8s.io')).json as {
      versions: { version: string }[]
    }
    expect(versions.map(({ version }) => version)).toEqual(['v1beta7', 'v1'])
    for (const path of [
      '/apis/scheduling.k8s.io/v1beta7',
      '/apis/scheduling.k8s.io/v1beta7/widgets',
    ])
      expect((await sendRequest(path)).json.message).toBe(
        'the server could not find the requested resource',
      )
  })

  test('is in the list of groups by the name of its first API service', async () => {
    for (const [group, version] of [
      ['alpha.example', 'v2'],
      ['beta.example', 'v1'],
    ] as const)
      await define(sendRequest, {
        ...definition('widgets', 'Widget', { group }, { name: version }),
        metadata: { name: `widgets.${group}` },
      })
    const { groups } = (await sendRequest('/apis')).json as { groups: { name: string }[] }
    expect(groups.slice(-2).map(({ name }) => name)).toEqual(['beta.example', 'alpha.example'])
  })

  test('restores its API services, except those that a user manages', async () => {
    const services = '/apis/apiregistration.k8s.io/v1/apiservices'
    const service = `${services}/v1.example.com`
    const headers = { 'content-type': 'application/merge-patch+json' }
    const change = async (body: Record<string, unknown>) => {
      await sendRequest(service, { method: 'PATCH', headers, body })
      await settled()
      return (await sendRequest(service)).json
    }
    await define(sendRequest, definition('widgets', 'Widget'))
    expect(await change({ spec: { versionPriority: 5 } })).toMatchObject({
      spec: { versionPriority: 100 },
    })
    await sendRequest(service, { method: 'DELETE' })
    await settled()
    expect((await sendRequest(service)).status).toBe(200)
    await change({ metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': null } } })
    expect(await change({ spec: { versionPriority: 5 } })).toMatchObject({
      spec: { versionPriority: 5 },
    })
    await sendRequest(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await sendRequest(service)).status).toBe(200)
  })

  test('goes when the last of its objects has gone; meanwhile none may come', async () => {
    await define(sendRequest, definition('widgets', 'Widget'))
    await sendRequest(WIDGETS, { method: 'POST', body: widget('loose') })
    await sendRequest(WIDGETS, {
      method: 'POST',
      body: { ...widget('held'), metadata: { name: 'held', finalizers: ['example.com/hold'] } },
    })
    await sendRequest(`${DEFINITIONS}/widgets.example.com`, { method: 'DELETE' })
    await settled()
    expect((await sendRequest(`${WIDGETS}/loose`)).status).toBe(404)
    expect((await sendRequest(`${WIDGETS}/held`)).json.metadata).toHaveProperty('deletionTimestamp')
    expect(
      (await sendRequest(WIDGETS, { method: 'POST', body: widget('late') })).json,
    ).toMatchObject({
      code: 405,
      message: 'create not allowed while custom resource definition is terminating',
    })
    expect((await conditions('widgets.example.com')).Terminating).toBe(
      'True InstanceDeletionInProgress',
    )
    expect((await sendRequest('/apis/example.com/v1')).json.resources).toMatchObject([
      { name: 'widgets', verbs: ['delete', 'deletecollection', 'get', 'list', 'watch'] },
    ])
    const merge = { 'content-type': 'application/merge-patch+json' }
    await sendRequest(`${WIDGETS}/held`, {
      method: 'PATCH',
      headers: merge,
      body: { metadata: { finalizers: null } },
    })
    clock.advance(5000)
    await settled()
    expect((await sendRequest(`${DEFINITIONS}/widgets.example.com`)).status).toBe(404)
  })
})
