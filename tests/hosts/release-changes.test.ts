/** Changes of the release in a browser: same data, another API, and the way back. */
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { DEFAULT_RELEASE, type Release } from '../../src/engine/releases'
import { BrowserEngine } from '../../src/hosts/shared/browser-engine'
import type { ChannelRequest } from '../../src/hosts/shared/channel'
import { type EngineSettings, UNNAMED_RELEASE } from '../../src/hosts/shared/engine-settings'
import { openPersistentStore } from '../../src/persistence/indexeddb'

let count = 0
let engine: BrowserEngine
const engineOn = (databaseName: string) => {
  engine = new BrowserEngine({ databaseName })
}
const fresh = () => engineOn(`releases-${++count}`)

async function request<Result>(sent: ChannelRequest): Promise<Result> {
  const response = await engine.respond(sent)
  if (!response.ok) throw new Error(response.message)
  return response.response as Result
}
const configure = (release: Release) =>
  request<EngineSettings>({ kind: 'configure', request: { release } })
const settings = () => request<EngineSettings>({ kind: 'settings', request: undefined })

async function send(method: string, path: string, body?: unknown) {
  const response = await engine.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
    path,
  )
  const text = await response.text()
  const json = (text.startsWith('{') ? JSON.parse(text) : {}) as JsonObject & KubeObject
  return { status: response.status, json }
}

/** With a member that 1.34 introduces behind a feature gate that is on by default in 1.35. */
const POD = {
  metadata: { name: 'named' },
  spec: {
    hostnameOverride: 'other-name',
    containers: [{ name: 'main', image: 'nginx:1.27' }],
  },
}
const PODS = '/api/v1/namespaces/default/pods'

async function withPod(): Promise<void> {
  await configure('1.35')
  await request({ kind: 'configure', request: { controllers: ['serviceaccount-controller'] } })
  await expect.poll(async () => (await send('POST', PODS, POD)).status).toBe(201)
}

afterEach(() => engine.drain())

test('a new workspace has the default release and keeps it', async () => {
  const name = `releases-${++count}`
  engineOn(name)
  expect((await settings()).release).toBe(DEFAULT_RELEASE)
  engineOn(name)
  expect((await settings()).release).toBe(DEFAULT_RELEASE)
})

test('a workspace of a page without releases stays at theirs', async () => {
  const name = `releases-${++count}`
  engineOn(name)
  expect((await send('GET', '/version')).status).toBe(200)
  await expect.poll(async () => (await send('GET', '/api/v1/namespaces/default')).status).toBe(200)
  await engine.end()
  const store = await openPersistentStore(name)
  await store.saveSettings(undefined)
  store.close()
  engineOn(name)
  expect((await settings()).release).toBe(UNNAMED_RELEASE)
})

test('the engine starts as newer releases over the same data', async () => {
  fresh()
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'kept' } })
  for (const release of ['1.37', '1.34', '1.33', '1.32'] as const) {
    expect((await configure(release)).release).toBe(release)
    expect((await send('GET', '/version')).json.gitVersion).toMatch(`v${release}.`)
    expect((await send('GET', '/api/v1/namespaces/kept')).status).toBe(200)
  }
})

test('an unknown release is rejected and the engine continues', async () => {
  fresh()
  const response = await engine.respond({
    kind: 'configure',
    request: { release: '1.99' as Release },
  })
  expect(response).toMatchObject({ ok: false, message: expect.stringContaining('1.99') })
  expect((await send('GET', '/api/v1/namespaces')).status).toBe(200)
})

test('members that an older release does not know are not read, but stay stored', async () => {
  fresh()
  await withPod()
  await configure('1.31')
  expect((await send('GET', `${PODS}/named`)).json.spec).not.toHaveProperty('hostnameOverride')
  await configure('1.35')
  expect((await send('GET', `${PODS}/named`)).json.spec).toHaveProperty(
    'hostnameOverride',
    'other-name',
  )
})

test('a write at the older release drops them, and the snapshot has them', async () => {
  fresh()
  await withPod()
  await configure('1.31')
  const { json } = await send('GET', `${PODS}/named`)
  const labeled = { ...json, metadata: { ...json.metadata, labels: { a: 'b' } } }
  expect((await send('PUT', `${PODS}/named`, labeled)).status).toBe(200)
  expect(await request({ kind: 'snapshot', request: undefined })).toMatchObject({
    release: '1.35',
  })
  expect(await request({ kind: 'restore', request: undefined })).toMatchObject({ release: '1.35' })
  const restored = await send('GET', `${PODS}/named`)
  expect(restored.json.spec).toHaveProperty('hostnameOverride', 'other-name')
  expect(restored.json.metadata.labels).toBeUndefined()
  expect(await request({ kind: 'snapshot', request: undefined })).toBeUndefined()
})

test('a reset deletes the snapshot too', async () => {
  fresh()
  await configure('1.32')
  expect(await request({ kind: 'snapshot', request: undefined })).toMatchObject({
    release: DEFAULT_RELEASE,
  })
  await request({ kind: 'reset', request: undefined })
  expect(await request({ kind: 'snapshot', request: undefined })).toBeUndefined()
})

test('kinds of a newer release wait in the store while an older one runs', async () => {
  fresh()
  await configure('1.37')
  const path = '/apis/resource.k8s.io/v1/deviceclasses'
  expect((await send('POST', path, { metadata: { name: 'gpu' }, spec: {} })).status).toBe(201)
  await configure('1.31')
  expect((await send('GET', `${path}/gpu`)).status).toBe(404)
  await configure('1.37')
  expect((await send('GET', `${path}/gpu`)).status).toBe(200)
})

test('an import contains kinds of the release that it names', async () => {
  fresh()
  const objects = [
    { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpu' }, spec: {} },
  ] as KubeObject[]
  await request({ kind: 'import', request: { objects, settings: { release: '1.37' } } })
  expect((await settings()).release).toBe('1.37')
  expect((await send('GET', '/apis/resource.k8s.io/v1/deviceclasses/gpu')).status).toBe(200)
})
