import { describe, expect, it } from 'vitest'
import { sendRequest, testServer } from '../support/server'
import { REVIEW_KINDS, SAMPLES, sampleOf } from './samples'

describe('writes through an older version', () => {
  const path = '/apis/networking.k8s.io/v1beta1/namespaces/default/ingresses'
  const send = (
    server: ReturnType<typeof testServer>,
    method: string,
    type: string,
    body: object,
    query = '',
  ) =>
    sendRequest(server, {
      method,
      path: `${path}/it${query}`,
      body,
      headers: { 'content-type': type },
    })

  it('are patched in the words of that version', async () => {
    const server = testServer({ release: '1.21' })
    await sendRequest(server, {
      method: 'POST',
      path,
      body: sampleOf('networking.k8s.io/v1beta1', 'Ingress'),
    })
    const merged = await send(server, 'PATCH', 'application/merge-patch+json', {
      spec: { backend: { servicePort: 'http' } },
    })
    expect(merged.json.spec.backend).toEqual({ serviceName: 'home', servicePort: 'http' })
    const replace = [{ op: 'replace', path: '/spec/backend/serviceName', value: 'other' }]
    expect(
      (await send(server, 'PATCH', 'application/json-patch+json', replace)).json.spec.backend
        .serviceName,
    ).toBe('other')
    const strategic = await send(server, 'PATCH', 'application/strategic-merge-patch+json', {
      metadata: { labels: { a: 'b' } },
    })
    expect(strategic.json.metadata.labels).toEqual({ a: 'b' })
  })

  it('are owned in that version, across a conflict with another one', async () => {
    const server = testServer({ release: '1.21' })
    const manifest = sampleOf('networking.k8s.io/v1beta1', 'Ingress')
    const applied = await send(
      server,
      'PATCH',
      'application/apply-patch+yaml',
      manifest,
      '?fieldManager=one',
    )
    expect(applied.status, applied.text).toBe(201)
    expect(applied.json.metadata.managedFields).toMatchObject([
      {
        manager: 'one',
        operation: 'Apply',
        apiVersion: 'networking.k8s.io/v1beta1',
        fieldsV1: { 'f:spec': { 'f:backend': {} } },
      },
    ])
    const other = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'it' },
      spec: { defaultBackend: { service: { name: 'home', port: { number: 81 } } } },
    }
    const conflict = await sendRequest(server, {
      method: 'PATCH',
      path: '/apis/networking.k8s.io/v1/namespaces/default/ingresses/it?fieldManager=two',
      body: other,
      headers: { 'content-type': 'application/apply-patch+yaml' },
    })
    expect(conflict.status, conflict.text).toBe(409)
    expect(conflict.json.message).toContain('conflict with "one"')
  })

  it('are checked against the members of that version', async () => {
    const server = testServer({ release: '1.21' })
    const odd = {
      ...sampleOf('networking.k8s.io/v1beta1', 'Ingress'),
      spec: { defaultBackend: {}, backend: { serviceName: 'a', servicePort: 80 } },
    }
    const warned = await sendRequest(server, { method: 'POST', path, body: odd })
    expect(warned.headers.get('warning')).toContain('unknown field \\"spec.defaultBackend\\"')
    const rejected = await sendRequest(server, {
      method: 'POST',
      path: `${path}?fieldValidation=Strict`,
      body: { ...odd, metadata: { name: 'b' } },
    })
    expect(rejected.json.message).toContain(
      'strict decoding error: unknown field "spec.defaultBackend"',
    )
  })
})

describe('scale of older workloads', () => {
  it('has a selector that is a map, and sets the replicas', async () => {
    const server = testServer({ release: '1.15' })
    const path = '/apis/extensions/v1beta1/namespaces/default/deployments'
    await sendRequest(server, {
      method: 'POST',
      path,
      body: sampleOf('extensions/v1beta1', 'Deployment'),
    })
    const { json } = await sendRequest(server, { path: `${path}/it/scale` })
    expect(json).toMatchObject({
      apiVersion: 'extensions/v1beta1',
      kind: 'Scale',
      status: { selector: { app: 'web' }, targetSelector: 'app=web' },
    })
    const put = await sendRequest(server, {
      method: 'PUT',
      path: `${path}/it/scale`,
      body: { ...json, spec: { replicas: 3 } },
    })
    expect(put.json, put.text).toMatchObject({ spec: { replicas: 3 } })
    const merge = { 'content-type': 'application/merge-patch+json' }
    const patched = await sendRequest(server, {
      method: 'PATCH',
      path: `${path}/it/scale`,
      body: { spec: { replicas: 5 } },
      headers: merge,
    })
    expect(patched.json, patched.text).toMatchObject({
      apiVersion: 'extensions/v1beta1',
      spec: { replicas: 5 },
    })
    expect(
      (await sendRequest(server, { path: '/apis/apps/v1/namespaces/default/deployments/it' })).json
        .spec.replicas,
    ).toBe(5)
  })
})

it('reviews are returned in the version of the request', async () => {
  const server = testServer({ release: '1.21' })
  for (const name of Object.keys(SAMPLES).filter((name) =>
    REVIEW_KINDS.includes(name.split(' ')[1] ?? ''),
  )) {
    const [apiVersion = '', kind = ''] = name.split(' ')
    const place = kind.startsWith('Local') ? '/namespaces/default' : ''
    const path = `/apis/${apiVersion}${place}/${kind.toLowerCase()}s`
    const { status, json } = await sendRequest(server, {
      method: 'POST',
      path,
      body: sampleOf(apiVersion, kind),
    })
    expect([status, json.apiVersion, typeof json.status]).toEqual([201, apiVersion, 'object'])
  }
})
