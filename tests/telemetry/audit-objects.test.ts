import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../src/engine/telemetry/audit/event'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import { configMap, sendRequest, testServer } from '../support/server'

let events: AuditEvent[]
beforeEach(() => {
  events = []
})

const serverWith = (level: string, more = '') =>
  testServer({
    audit: {
      policy: parseAuditPolicy(
        `{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [{level: ${level}${more}}]}`,
      ),
      sink: (event) => events.push(event),
    },
  })

const COLLECTION = '/api/v1/namespaces/default/configmaps'

describe('the audit event of an object in a request', () => {
  it('contains its defaults, with the fields in order', async () => {
    const selector = { matchLabels: { app: 'a' } }
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }
    const body = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a', labels: {} },
      spec: { template, selector },
    }
    await sendRequest(serverWith('Request'), {
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments',
      body,
    })
    const { metadata, spec, status } = (events[1]?.requestObject ?? {}) as Record<
      string,
      Record<string, unknown>
    >
    expect(metadata).toEqual({ name: 'a', creationTimestamp: null })
    expect(Object.keys(spec ?? {}).slice(0, 3)).toEqual(['replicas', 'selector', 'template'])
    expect(spec).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      template: { spec: { restartPolicy: 'Always' } },
    })
    expect(status).toEqual({})
  })

  it('names the object, whatever the result', async () => {
    const server = serverWith('Metadata')
    for (const _ of [1, 2])
      await sendRequest(server, { method: 'POST', path: COLLECTION, body: configMap('a') })
    expect(
      events.map(({ stage, objectRef, responseStatus }) => [
        stage,
        objectRef,
        (responseStatus as { code: number })?.code,
      ]),
    ).toEqual([
      [
        'RequestReceived',
        { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' },
        undefined,
      ],
      [
        'ResponseComplete',
        { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
        201,
      ],
      [
        'RequestReceived',
        { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' },
        undefined,
      ],
      [
        'ResponseComplete',
        { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
        409,
      ],
    ])
  })

  it('contains the uid and resourceVersion of the request', async () => {
    const server = serverWith('Metadata')
    const { json } = await sendRequest(server, {
      method: 'POST',
      path: COLLECTION,
      body: configMap('a'),
    })
    await sendRequest(server, {
      method: 'PUT',
      path: `${COLLECTION}/a`,
      body: { ...json, data: { b: 'c' } },
    })
    const { uid, resourceVersion } = json.metadata
    expect(JSON.stringify(events[3]?.objectRef)).toBe(
      JSON.stringify({
        resource: 'configmaps',
        namespace: 'default',
        name: 'a',
        uid,
        apiVersion: 'v1',
        resourceVersion,
      }),
    )
  })

  it('omits a generated name', async () => {
    const body = { ...configMap(''), metadata: { generateName: 'a-' } }
    await sendRequest(serverWith('Metadata'), { method: 'POST', path: COLLECTION, body })
    expect(events[1]?.objectRef).toEqual({
      resource: 'configmaps',
      namespace: 'default',
      apiVersion: 'v1',
    })
  })

  it('omits a token', async () => {
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: 'secret-thing' },
    }
    await sendRequest(serverWith('RequestResponse'), {
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/tokenreviews',
      body,
    })
    expect(JSON.stringify(events)).not.toContain('secret-thing')
  })
})

describe('the body in an audit event', () => {
  it('is absent where decoding fails', async () => {
    await sendRequest(serverWith('Request'), {
      method: 'POST',
      path: COLLECTION,
      body: 'neither here nor there',
    })
    expect(events[1]).toMatchObject({ responseStatus: { code: 400 } })
    expect(events[1]).not.toHaveProperty('requestObject')
  })

  it('has DeleteOptions in their unversioned form', async () => {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 }
    await sendRequest(serverWith('Request'), { method: 'DELETE', path: `${COLLECTION}/a`, body })
    expect(events[1]?.requestObject).toEqual({ ...body, apiVersion: 'meta.k8s.io/__internal' })
  })

  it('includes discovery, but no other document', async () => {
    const server = serverWith('RequestResponse')
    for (const path of ['/api/v1', '/version']) await sendRequest(server, { path })
    expect(
      events.map((event) => (event.responseObject as { kind: string } | undefined)?.kind),
    ).toEqual([undefined, 'APIResourceList', undefined, undefined])
  })

  it('has only the code where no media type is acceptable', async () => {
    await sendRequest(serverWith('RequestResponse'), {
      path: COLLECTION,
      headers: { accept: 'text/plain' },
    })
    expect(events[1]?.responseStatus).toEqual({ metadata: {}, code: 406 })
  })

  it('includes a rejected stream at its start stage', async () => {
    await sendRequest(serverWith('RequestResponse'), {
      path: '/api/v1/namespaces/default/pods/none/log',
    })
    expect(events[1]).toMatchObject({
      stage: 'ResponseStarted',
      responseObject: { reason: 'NotFound' },
    })
  })
})
