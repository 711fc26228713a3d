/** Handler samples work together with the manifests that the page generates for them. */
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { configurationOf, kindOfSource } from '../../src/app/features/webhooks/configuration'
import { HANDLER_SAMPLES, type HandlerSample } from '../../src/app/features/webhooks/samples'
import type { JsonObject } from '../../src/engine/core/object'
import { BrowserEngine } from '../../src/hosts/shared/browser-engine'
import { runningHandlers } from '../support/handlers'

const PATHS: Record<string, string> = {
  Service: '/api/v1/namespaces/default/services',
  MutatingWebhookConfiguration:
    '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  ValidatingWebhookConfiguration:
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  CustomResourceDefinition: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  APIService: '/apis/apiregistration.k8s.io/v1/apiservices',
}

let engine: BrowserEngine
let count = 0
const send = async (method: string, path: string, body?: unknown) => {
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }
  const request = new Request(`http://localhost${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const response = await engine.fetch(request, path)
  const text = await response.text()
  return {
    status: response.status,
    json: (text.startsWith('{') ? JSON.parse(text) : {}) as JsonObject & {
      metadata: JsonObject
      spec: JsonObject
    },
  }
}

/** Saves a sample and applies the configuration that the page generates. */
async function configured(name: string, change: Partial<HandlerSample> = {}): Promise<void> {
  const sample = {
    ...(HANDLER_SAMPLES.find((one) => one.name === name) as HandlerSample),
    ...change,
  }
  const { address, source } = sample
  await engine.respond({
    kind: 'configure',
    request: { handlers: [{ name, address, source, code: source }] },
  })
  for (const document of parseAllDocuments(configurationOf(kindOfSource(source), sample))) {
    const manifest = document.toJS() as { kind: string }
    expect(await send('POST', PATHS[manifest.kind] ?? '', manifest)).toMatchObject({ status: 201 })
  }
}

beforeEach(() => {
  engine = new BrowserEngine({
    databaseName: `handler-samples-${++count}`,
    call: runningHandlers(),
  })
})
afterEach(() => engine.drain())

const configMap = (labels?: Record<string, string>) =>
  send('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', {
    metadata: { name: 'x', ...(labels ? { labels } : {}) },
  })

describe('the sample', () => {
  it('add-label adds a label to the existing ones', async () => {
    await configured('add-label')
    expect((await configMap()).json.metadata.labels).toEqual({ 'seen-by': 'my-webhook' })
    expect((await configMap({ a: 'b' })).json.metadata.labels).toEqual({
      a: 'b',
      'seen-by': 'my-webhook',
    })
  })

  it('require-owner rejects objects without the label, behind a service too', async () => {
    await configured('require-owner', { address: 'default/owners' })
    expect(await configMap()).toMatchObject({
      status: 400,
      json: {
        message:
          'admission webhook "require-owner.example.com" denied the request: every object here needs the label "owner"',
      },
    })
    expect((await configMap({ owner: 'me' })).status).toBe(201)
  })

  it('convert-shirts converts between versions, and reports failures', async () => {
    await configured('convert-shirts')
    const shirts = (version: string, name = '') =>
      `/apis/stable.example.com/${version}/namespaces/default/shirts${name}`
    const shirt = (name: string, size: string) => ({
      apiVersion: 'stable.example.com/v1',
      kind: 'Shirt',
      metadata: { name },
      spec: { size, color: 'blue' },
    })
    await expect
      .poll(async () => (await send('POST', shirts('v1'), shirt('good', '40x70'))).status)
      .toBe(201)
    expect((await send('GET', shirts('v2', '/good'))).json.spec).toEqual({
      chest: 40,
      color: 'blue',
      length: 70,
    })
    await send('POST', shirts('v1'), shirt('bad', 'large'))
    expect((await send('GET', shirts('v2', '/bad'))).json.message).toBe(
      'conversion webhook for stable.example.com/v1, Kind=Shirt failed: "large" is not a size',
    )
  })

  it('quotes-api serves a resource through API aggregation', async () => {
    await configured('quotes-api')
    const quotes = '/apis/quotes.example.com/v1/quotes'
    await expect.poll(async () => (await send('GET', quotes)).status).toBe(200)
    expect(
      (await send('POST', quotes, { metadata: { name: 'a' }, spec: { text: 'Hello' } })).status,
    ).toBe(201)
    expect((await send('GET', `${quotes}/a`)).json.spec).toEqual({ text: 'Hello' })
    expect((await send('DELETE', `${quotes}/a`)).status).toBe(200)
    expect((await send('GET', `${quotes}/a`)).json).toMatchObject({ code: 404, reason: 'NotFound' })
  })
})
