/**
 * Applies of objects whose versions a webhook converts: field ownership sends it parts of objects.
 * Messages and results are those of kube-apiserver.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import type { Outbound } from '../../src/engine/core/outbound'
import type { ApiServer } from '../../src/engine/server/server'
import { sendRequest, testServer } from '../support/server'

const TEXT = { type: 'string' }
const NUMBER = { type: 'integer' }
const version = (name: string, storage: boolean, spec: object) => ({
  name,
  served: true,
  storage,
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: spec },
        status: { type: 'object', properties: { phase: TEXT } },
      },
    },
  },
})

/** `size` in v1 is `width` in v2. Each version has a member that the other lacks, and a default for one of its own. */
const versionsOf = (stored: string) => [
  version('v1', stored === 'v1', { size: NUMBER, note: TEXT, color: TEXT }),
  version('v2', stored === 'v2', {
    width: NUMBER,
    extra: TEXT,
    color: { ...TEXT, default: 'blue' },
  }),
]
const KNOWN: Record<string, string[]> = {
  v1: ['size', 'note', 'color'],
  v2: ['width', 'extra', 'color'],
}

interface Sent extends JsonObject {
  apiVersion: string
  metadata: JsonObject
  spec: JsonObject
}

/** What a webhook makes of an object that was written in Go: it drops what its target lacks, and always writes metadata. */
function converted(object: Sent, apiVersion: string): JsonObject {
  const target = apiVersion.split('/')[1] ?? ''
  const members = Object.entries(object.spec ?? {}).map(([name, value]) => {
    if (name === 'size' || name === 'width') return [target === 'v1' ? 'size' : 'width', value]
    return [name, value]
  })
  const known = members.filter(([name]) => !strict || KNOWN[target]?.includes(name as string))
  const metadata = object.metadata ?? { creationTimestamp: null }
  return {
    ...object,
    metadata,
    apiVersion,
    ...(object.spec && { spec: Object.fromEntries(known) }),
  }
}

let strict: boolean
let rejectsParts: boolean
let requested: Sent[]
let server: ApiServer

const outbound: Outbound = {
  async post({ body }) {
    const { kind, apiVersion, request } = JSON.parse(body)
    const { uid, objects, desiredAPIVersion } = request as {
      uid: string
      objects: Sent[]
      desiredAPIVersion: string
    }
    requested.push(...objects)
    const result =
      rejectsParts && objects.some(({ metadata }) => metadata === undefined)
        ? { result: { status: 'Failure', message: 'not today' } }
        : {
            result: { status: 'Success' },
            convertedObjects: objects.map((object) => converted(object, desiredAPIVersion)),
          }
    const response = { uid, ...result }
    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ kind, apiVersion, response }),
    }
  },
}

const send = (method: string, path: string, type: string, body: object) =>
  sendRequest(server, { method, path, headers: { 'content-type': `application/${type}` }, body })
const path = (served: string, more = '') =>
  `/apis/example.com/${served}/namespaces/default/widgets/one${more}`
const widget = (
  served: string,
  spec: object | undefined,
  metadata: object = {},
  more: object = {},
) => ({
  apiVersion: `example.com/${served}`,
  kind: 'Widget',
  metadata: { name: 'one', ...metadata },
  ...(spec && { spec }),
  ...more,
})
const apply = (served: string, manager: string, spec?: object, metadata: object = {}, query = '') =>
  send(
    'PATCH',
    `${path(served)}?fieldManager=${manager}${query}`,
    'apply-patch+yaml',
    widget(served, spec, metadata),
  )
const managersOf = ({
  metadata,
}: {
  metadata: { managedFields?: { manager: string; apiVersion: string }[] }
}) => (metadata.managedFields ?? []).map(({ manager, apiVersion }) => `${manager} ${apiVersion}`)

async function define(conversion: object, stored = 'v1'): Promise<void> {
  const { status } = await send(
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    'json',
    {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: versionsOf(stored),
        conversion,
      },
    },
  )
  expect(status).toBe(201)
  await new Promise((resolve) => setImmediate(resolve))
}

const WEBHOOK = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: { url: 'https://hooks.example.com/convert' },
    conversionReviewVersions: ['v1'],
  },
}

beforeEach(() => {
  strict = true
  rejectsParts = false
  requested = []
  server = testServer({ outbound })
})
afterEach(() => server.close())

describe('an applier that uses another version', () => {
  beforeEach(() => define(WEBHOOK))

  it('removes the fields it applied before, and converts parts without metadata for that', async () => {
    await apply('v1', 'two', { color: 'red' })
    await apply('v1', 'one', { size: 1, note: 'n' }, { labels: { a: '1' } })
    requested = []
    const { status, json } = await apply('v2', 'one', { width: 2 }, { labels: { a: '1' } })
    expect([status, json.spec, json.metadata.labels]).toEqual([
      200,
      { width: 2, color: 'red' },
      { a: '1' },
    ])
    expect(managersOf(json)).toEqual(['one example.com/v2', 'two example.com/v1'])
    expect(requested.some(({ metadata }) => metadata === undefined)).toBe(true)
  })

  it('changes nothing if it applies the stored values, not even by a default', async () => {
    await apply('v1', 'one', { size: 1 })
    const { json } = await apply('v2', 'one', { width: 1 })
    expect(json.spec).toEqual({ width: 1 })
    expect(managersOf(json)).toEqual(['one example.com/v2'])
  })
})

describe('a field that another version does not have', () => {
  it('is lost when an applier leaves that version', async () => {
    await define(WEBHOOK, 'v2')
    await apply('v1', 'one', { size: 1 })
    await apply('v2', 'two', { extra: 'e' })
    const { json } = await apply('v2', 'one', { width: 2 })
    expect(json.spec).toEqual({ width: 2, color: 'blue' })
    expect(managersOf(json)).toEqual(['one example.com/v2'])
  })
})

describe('a webhook that fails conversions for field ownership', () => {
  beforeEach(() => define(WEBHOOK))

  it('is reported with the purpose of the call', async () => {
    await apply('v1', 'one', { size: 1 })
    strict = false
    const { status, json } = await apply('v2', 'two', { extra: 'e' })
    expect([status, json.message]).toEqual([
      500,
      'failed to convert new object: .spec.extra: field not declared in schema',
    ])
  })

  it('is quoted with the step at which it failed', async () => {
    await apply('v1', 'two', { color: 'red' })
    await apply('v1', 'one', { size: 1 }, { labels: { a: '1' } })
    rejectsParts = true
    const { status, json } = await apply('v2', 'one', { width: 2 })
    const step =
      'failed to prune fields: failed add back owned items: failed to convert pruned object at version example.com/v2'
    expect([status, json.message]).toEqual([
      500,
      `${step}: conversion webhook for example.com/v1, Kind=Widget failed: not today`,
    ])
  })
})

describe('a status written through another version', () => {
  it.each([
    ['a webhook', WEBHOOK],
    ['no webhook', { strategy: 'None' }],
  ])(
    'changes hands by what is sent to the main resource, where versions are converted by %s',
    async (_who, conversion) => {
      await define(conversion)
      await apply('v1', 'one', { color: 'red' })
      await send('PATCH', `${path('v1', '/status')}?fieldManager=keeper`, 'apply-patch+yaml', {
        ...widget('v1', undefined),
        status: { phase: 'Ready' },
      })
      const sent = (served: string, phase: string) =>
        send('PATCH', `${path(served)}?fieldManager=other`, 'merge-patch+json', {
          status: { phase },
        })
      const same = await sent('v1', 'Lost')
      expect([same.json.status, managersOf(same.json)]).toEqual([
        { phase: 'Ready' },
        ['keeper example.com/v1', 'one example.com/v1'],
      ])
      const other = await sent('v2', 'Lost')
      expect([other.json.status, managersOf(other.json)]).toEqual([
        { phase: 'Ready' },
        ['one example.com/v1'],
      ])
    },
  )
})
