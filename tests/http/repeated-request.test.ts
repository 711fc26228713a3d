/** A write that the browser sends twice runs once, and both requests get the same response. */
import { beforeEach, expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import type { KubeObject } from '../../src/engine/core/object'
import { type ApiServer, createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
let server: ApiServer

beforeEach(() => {
  server = createApiServer({
    release: TEST_RELEASE,
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log: { error: (message, cause) => expect.fail(`${message}: ${cause}`) },
    storage: createMemoryStorage(),
    tokens: 'secret,admin,1,"system:masters"',
  })
})

interface RequestOptions {
  method: string
  path: string
  id?: string
  body?: unknown
  type?: string
}

async function send({
  method,
  path,
  id,
  body,
  type = 'application/json',
}: RequestOptions): Promise<{ status: number; object: KubeObject }> {
  const headers = {
    authorization: 'Bearer secret',
    'content-type': type,
    ...(id ? { 'x-kubetab-request-id': id } : {}),
  }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await server.fetch(new Request(`http://localhost${path}`, init))
  return { status: response.status, object: (await response.json()) as KubeObject }
}

const configMap = (metadata: object, data = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  data,
})
const names = async () => {
  const { object } = await send({ method: 'GET', path: CONFIG_MAPS })
  return (object.items as KubeObject[]).map(({ metadata }) => metadata.name)
}

it('creates one object under a generated name', async () => {
  const create = {
    method: 'POST',
    path: CONFIG_MAPS,
    id: 'a',
    body: configMap({ generateName: 'made-' }),
  }
  const first = await send(create)
  const second = await send(create)
  expect(first.status).toBe(201)
  expect(second).toEqual(first)
  expect((await names()).filter((name) => name?.startsWith('made-'))).toEqual([
    first.object.metadata.name,
  ])
})

it('creates two if the request IDs differ or are missing', async () => {
  const create = { method: 'POST', path: CONFIG_MAPS, body: configMap({ generateName: 'made-' }) }
  for (const id of ['a', 'b', undefined, undefined])
    await send({ ...create, ...(id ? { id } : {}) })
  expect((await names()).filter((name) => name?.startsWith('made-'))).toHaveLength(4)
})

it('repeats the first response of an update, even after another write', async () => {
  const path = `${CONFIG_MAPS}/a`
  await send({ method: 'POST', path: CONFIG_MAPS, body: configMap({ name: 'a' }, { count: '1' }) })
  const update = { method: 'PUT', path, id: 'u', body: configMap({ name: 'a' }, { count: '2' }) }
  const first = await send(update)
  await send({ method: 'PUT', path, body: configMap({ name: 'a' }, { count: '3' }) })
  expect(await send(update)).toEqual(first)
  expect((await send({ method: 'GET', path })).object.data).toEqual({ count: '3' })
})

it('shares the response while the first request is in progress', async () => {
  await send({ method: 'POST', path: CONFIG_MAPS, body: configMap({ name: 'a' }) })
  const { object } = await send({ method: 'GET', path: `${CONFIG_MAPS}/a` })
  const { resourceVersion } = object.metadata
  const update = {
    method: 'PUT',
    path: `${CONFIG_MAPS}/a`,
    id: 'u',
    body: configMap({ name: 'a', resourceVersion }, { count: '2' }),
  }
  const [first, second] = await Promise.all([send(update), send(update)])
  expect(first.status).toBe(200)
  expect(second).toEqual(first)
})

it('adds to a list once', async () => {
  await send({
    method: 'POST',
    path: CONFIG_MAPS,
    body: configMap({ name: 'a', finalizers: ['x.test/one'] }),
  })
  const patch = {
    method: 'PATCH',
    path: `${CONFIG_MAPS}/a`,
    id: 'p',
    type: 'application/json-patch+json',
    body: [{ op: 'add', path: '/metadata/finalizers/-', value: 'x.test/two' }],
  }
  const first = await send(patch)
  expect(first.object.metadata.finalizers).toEqual(['x.test/one', 'x.test/two'])
  expect(await send(patch)).toEqual(first)
})

it('repeats the first response of a deletion instead of 404', async () => {
  await send({ method: 'POST', path: CONFIG_MAPS, body: configMap({ name: 'a' }) })
  const removal = { method: 'DELETE', path: `${CONFIG_MAPS}/a`, id: 'd' }
  const first = await send(removal)
  expect(first.object).toMatchObject({ kind: 'Status', status: 'Success' })
  expect(await send(removal)).toEqual(first)
  expect((await send({ ...removal, id: 'e' })).status).toBe(404)
})

it('does not return an object that is not in the path', async () => {
  await send({
    method: 'POST',
    path: '/api/v1/namespaces/kube-system/configmaps',
    id: 's',
    body: configMap({ name: 'secret' }),
  })
  const { status, object } = await send({
    method: 'POST',
    path: CONFIG_MAPS,
    id: 's',
    body: configMap({ name: 'mine' }),
  })
  expect(status).toBe(201)
  expect(object.metadata).toMatchObject({ name: 'mine', namespace: 'default' })
})
