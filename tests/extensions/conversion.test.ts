/** Reads and writes of custom objects that a webhook converts. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import {
  CRDS,
  cached,
  clock,
  good,
  post,
  request,
  reviews,
  type Sent,
  server,
  setUpEachTest,
  webhook,
  widgets,
} from './converted-widgets'

setUpEachTest()

describe('a definition with a conversion webhook', () => {
  it('is not called for objects in the version of the request', async () => {
    await post('v1', 'a', { size: 1 })
    await cached()
    expect((await request({ path: widgets('v1', 'a') })).json.spec).toEqual({
      color: 'red',
      size: 1,
    })
    expect((await request({ path: widgets('v1') })).json.items).toHaveLength(1)
    expect(reviews).toEqual([])
  })

  it('sends a ConversionReview with the stored object and shows what comes back', async () => {
    const { json: stored } = await post('v1', 'a', { size: 1 })
    await cached()
    const { status, json } = await request({ path: widgets('v2', 'a') })
    expect(status).toBe(200)
    expect(json).toEqual({
      ...stored,
      apiVersion: 'example.com/v2',
      spec: { color: 'red', width: 1 },
    })
    expect(reviews).toMatchObject([
      {
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.k8s.io/v1',
        request: { desiredAPIVersion: 'example.com/v2', objects: [stored] },
      },
    ])
  })

  it('stores objects in the storage version, and responds in the version of the request', async () => {
    const { status, json } = await post('v2', 'a', { width: 7 })
    expect(status).toBe(201)
    expect(json).toMatchObject({ apiVersion: 'example.com/v2', spec: { width: 7, color: 'red' } })
    expect((await request({ path: widgets('v1', 'a') })).json).toMatchObject({
      apiVersion: 'example.com/v1',
      spec: { size: 7 },
    })
  })

  it('converts each object of a list by a call of its own, in their order', async () => {
    for (const name of ['a', 'b', 'c']) await post('v1', name, { size: 1 })
    await cached()
    const { json } = await request({ path: widgets('v2') })
    expect(json.items.map(({ apiVersion, spec }: Sent) => [apiVersion, spec.width])).toEqual(
      Array(3).fill(['example.com/v2', 1]),
    )
    expect(
      reviews.map(({ request: { objects } }) => objects.map(({ metadata }) => metadata.name)),
    ).toEqual([['a'], ['b'], ['c']])
  })

  it('patches, updates and applies through the other version', async () => {
    await post('v1', 'a', { size: 1 })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const patched = await request({
      method: 'PATCH',
      path: widgets('v2', 'a'),
      headers,
      body: { spec: { width: 2 } },
    })
    expect(patched.json).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { width: 2 },
      metadata: { generation: 2 },
    })
    const updated = await request({
      method: 'PUT',
      path: widgets('v2', 'a'),
      body: { ...patched.json, spec: { width: 3 } },
    })
    expect(updated.json).toMatchObject({
      spec: { width: 3, color: 'red' },
      metadata: { generation: 3 },
    })
    const applied = await request({
      method: 'PATCH',
      path: `${widgets('v2', 'a')}?fieldManager=me&force=true`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: {
        apiVersion: 'example.com/v2',
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { width: 4 },
      },
    })
    expect(applied.json).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { width: 4, color: 'red' },
    })
    expect((await request({ path: widgets('v1', 'a') })).json.spec).toEqual({
      color: 'red',
      size: 4,
    })
  })

  it('tracks field managers across versions', async () => {
    const apply = (served: string, manager: string, spec: object) =>
      request({
        method: 'PATCH',
        path: `${widgets(served, 'a')}?fieldManager=${manager}`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: {
          apiVersion: `example.com/${served}`,
          kind: 'Widget',
          metadata: { name: 'a' },
          spec,
        },
      })
    await apply('v1', 'one', { size: 1 })
    const conflict = await apply('v2', 'two', { width: 2 })
    expect(conflict.status).toBe(409)
    expect(conflict.json.message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.size',
    )
    const shared = await apply('v2', 'two', { width: 1 })
    expect(
      shared.json.metadata.managedFields.map(({ manager, apiVersion }: JsonObject) => [
        manager,
        apiVersion,
      ]),
    ).toEqual([
      ['two', 'example.com/v2'],
      ['one', 'example.com/v1'],
    ])
  })

  it('leaves an update that changes nothing without a new revision', async () => {
    const { json } = await post('v2', 'a', { width: 7 })
    const again = await request({ method: 'PUT', path: widgets('v2', 'a'), body: json })
    expect(again.json.metadata.resourceVersion).toBe(json.metadata.resourceVersion)
  })

  it('applies field selectors to the version of the request', async () => {
    await post('v1', 'a', { size: 1 })
    await post('v1', 'b', { size: 2 })
    const { json } = await request({ path: `${widgets('v2')}?fieldSelector=spec.width%3D2` })
    expect(json.items.map(({ metadata }: Sent) => metadata.name)).toEqual(['b'])
  })

  it('lets a webhook change labels and annotations, and nothing else of the metadata', async () => {
    webhook.result = (review) => {
      const response = good(review)
      for (const object of response.convertedObjects as Sent[])
        object.metadata = {
          ...object.metadata,
          labels: { added: 'yes' },
          finalizers: ['mine/own'],
          generation: 99,
          ownerReferences: [],
        }
      return response
    }
    await post('v1', 'a', { size: 1 })
    const { metadata } = (await request({ path: widgets('v2', 'a') })).json
    expect(metadata).toMatchObject({ labels: { added: 'yes' }, generation: 1 })
    expect(metadata).not.toHaveProperty('finalizers')
  })

  it('calls the webhook for every read, so that a repaired webhook takes effect', async () => {
    await post('v1', 'a', { size: 1 })
    await request({ path: widgets('v2', 'a') })
    webhook.result = (review) => {
      const response = good(review)
      for (const object of response.convertedObjects as Sent[]) object.spec.width = 100
      return response
    }
    expect((await request({ path: widgets('v2', 'a') })).json.spec.width).toBe(100)
  })

  it('prunes fields that the target version does not have', async () => {
    webhook.result = (review) => {
      const response = good(review)
      for (const object of response.convertedObjects as Sent[]) object.spec.unknown = true
      return response
    }
    await post('v1', 'a', { size: 1 })
    expect((await request({ path: widgets('v2', 'a') })).json.spec).toEqual({
      color: 'red',
      width: 1,
    })
  })

  it('shows a watch every event in its version and in order', async () => {
    await post('v1', 'a', { size: 1 })
    const response = await server.fetch(
      new Request(`http://localhost${widgets('v2')}?watch=true&timeoutSeconds=60`, {
        headers: { authorization: 'Bearer admin' },
      }),
    )
    for (const name of ['b', 'c']) await post('v1', name, { size: 2 })
    await request({ method: 'DELETE', path: widgets('v1', 'b') })
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(60_000)
    const events = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: Sent })
    expect(
      events.map(({ type, object }) => [
        type,
        object.metadata.name,
        object.apiVersion,
        object.spec.width,
      ]),
    ).toEqual([
      ['ADDED', 'a', 'example.com/v2', 1],
      ['ADDED', 'b', 'example.com/v2', 2],
      ['ADDED', 'c', 'example.com/v2', 2],
      ['DELETED', 'b', 'example.com/v2', 2],
    ])
  })

  it('sends policies and webhooks the version that they match', async () => {
    const policies = '/apis/admissionregistration.k8s.io/v1'
    await request({
      method: 'POST',
      path: `${policies}/validatingadmissionpolicies`,
      body: {
        metadata: { name: 'narrow' },
        spec: {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['example.com'],
                apiVersions: ['v2'],
                operations: ['CREATE'],
                resources: ['widgets'],
              },
            ],
          },
          validations: [{ expression: 'object.spec.width < 10' }],
        },
      },
    })
    await request({
      method: 'POST',
      path: `${policies}/validatingadmissionpolicybindings`,
      body: {
        metadata: { name: 'narrow' },
        spec: { policyName: 'narrow', validationActions: ['Deny'] },
      },
    })
    expect((await post('v1', 'a', { size: 5 })).status).toBe(201)
    const rejected = await post('v1', 'b', { size: 50 })
    expect(rejected.status).toBe(422)
    expect(rejected.json.message).toContain('failed expression: object.spec.width < 10')
  })

  it('deletes its objects with the definition although no webhook converts', async () => {
    await post('v1', 'a', { size: 1 })
    webhook.result = () => ({ result: { status: 'Failure', message: 'broken' } })
    await request({ method: 'DELETE', path: `${CRDS}/widgets.example.com` })
    await new Promise((resolve) => setImmediate(resolve))
    expect((await request({ path: `${CRDS}/widgets.example.com` })).status).toBe(404)
  })
})
