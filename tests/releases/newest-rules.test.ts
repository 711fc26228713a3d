/** Rules that Kubernetes 1.37 changes, next to the same requests at 1.31. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { sendRequest, testServer } from '../support/server'

beforeAll(() => loadTables('1.37'))

type Server = ReturnType<typeof testServer>
const post = (server: Server, path: string, body: object) =>
  sendRequest(server, { method: 'POST', path, body })
const causesOf = (json: { details?: { causes?: { field: string; message: string }[] } }) =>
  json.details?.causes?.map(({ field, message }) => `${field}: ${message}`)

const CORE = '/api/v1/namespaces/default'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const definition = (spec: object) => ({
  metadata: { name: 'cogs.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'cogs', kind: 'Cog', shortNames: ['c', 'cg'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec } },
        },
      },
    ],
  },
})
const object = (properties: object) => ({ type: 'object', properties })

describe('owner references', () => {
  const owners = [
    { apiVersion: '', kind: '', name: 'a', uid: 'u' },
    { apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' },
    { apiVersion: 'a/b/c', kind: 'K', name: 'a', uid: '' },
  ]
  const create = (release: string) =>
    post(testServer({ release }), `${CORE}/configmaps`, {
      metadata: { name: 'a', ownerReferences: owners },
    })

  it('have their index in errors at 1.37', async () => {
    expect(causesOf((await create('1.37')).json)).toEqual([
      'metadata.ownerReferences[0].apiVersion: Required value: must not be empty',
      'metadata.ownerReferences[0].kind: Required value: must not be empty',
      'metadata.ownerReferences[1]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
      'metadata.ownerReferences[2].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>',
      'metadata.ownerReferences[2].uid: Required value: must not be empty',
    ])
  })

  it('have no index at 1.31', async () => {
    const causes = causesOf((await create('1.31')).json)
    expect(causes?.[0]).toBe(
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
    )
    expect(causes?.[4]).toBe(
      'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
    )
  })
})

describe('numbers of custom resources', () => {
  const SCHEMA = object({
    i32: { type: 'integer', format: 'int32' },
    i64: { type: 'integer', format: 'int64' },
    flt: { type: 'number', format: 'float' },
    port: { 'x-kubernetes-int-or-string': true },
    small: { type: 'integer', format: 'int32', maximum: 3e9 },
  })
  const created = async (release: string, spec: object) => {
    const server = testServer({ release })
    await post(server, DEFINITIONS, definition(SCHEMA))
    const path = '/apis/example.com/v1/namespaces/default/cogs'
    await expect.poll(async () => (await sendRequest(server, { path })).status).toBe(200)
    const body = { apiVersion: 'example.com/v1', kind: 'Cog', metadata: { name: 'a' }, spec }
    return post(server, path, body)
  }
  const outOfRange = (what: string) => `<nil>: Invalid value: "": ${what}`

  it('must fit their types and formats at 1.37', async () => {
    const { json } = await created('1.37', { i32: 2147483648, i64: 1e19, flt: 1e39, small: 1 })
    expect(causesOf(json)).toEqual([
      outOfRange('Checked value must be of type number with format float in spec.flt'),
      outOfRange('Checked value must be of type integer with format int32 in spec.i32'),
      'spec.i64: Invalid value: "float64": spec.i64 in body must be of type int64: "float64"',
      outOfRange('Checked value must be of type integer with format int64 in spec.i64'),
      outOfRange('Maximum boundary value must be of type integer with format int32 in spec.small'),
    ])
  })

  it('of the limits of a format are valid', async () => {
    const spec = { i32: -2147483648, i64: 4e15, flt: 3e38, port: 80 }
    expect((await created('1.37', spec)).status).toBe(201)
  })

  it('have no range at 1.31', async () => {
    expect((await created('1.31', { i32: 2147483648, flt: 1e39 })).status).toBe(201)
  })
})

describe('definitions', () => {
  const SETS = object({
    lists: {
      type: 'array',
      'x-kubernetes-list-type': 'set',
      items: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
    },
  })

  it('get a warning for sets of lists at 1.37', async () => {
    const { headers } = await post(testServer({ release: '1.37' }), DEFINITIONS, definition(SETS))
    expect(headers.get('warning')).toContain('set for items of type')
    const old = await post(testServer({ release: '1.31' }), DEFINITIONS, definition(SETS))
    expect(old.headers.get('warning')).toBeNull()
  })

  it('have columns of their own at 1.37', async () => {
    const cells = async (release: string) => {
      const server = testServer({ release })
      await post(server, DEFINITIONS, definition(object({})))
      const { json } = await sendRequest(server, {
        path: `${DEFINITIONS}/cogs.example.com`,
        headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
      })
      return json.rows[0].cells
    }
    const [, scope, versions, , ...more] = await cells('1.37')
    expect([scope, versions, ...more.slice(0, 3)]).toEqual([
      'Namespaced',
      'v1(storage)',
      'example.com',
      'Cog',
      'c,cg',
    ])
    expect(await cells('1.31')).toHaveLength(2)
  })
})

describe('services', () => {
  const service = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { ports: [{ port: 80 }], ...spec },
  })

  it('may have names that begin with a digit at 1.37', async () => {
    const create = (release: string, name: string) =>
      post(testServer({ release }), `${CORE}/services`, service(name))
    expect((await create('1.37', '1st')).status).toBe(201)
    expect((await create('1.35', '1st')).status).toBe(422)
    expect(causesOf((await create('1.37', 'a.b')).json)).toEqual([
      'metadata.name: Invalid value: "a.b": must not contain dots',
    ])
  })

  it('get a warning for external addresses at 1.37', async () => {
    const body = service('a', { externalIPs: ['198.51.100.7'] })
    const { headers } = await post(testServer({ release: '1.37' }), `${CORE}/services`, body)
    expect(headers.get('warning')).toContain('spec.externalIPs is deprecated')
  })

  it('are proxied through their endpoint slices at 1.37', async () => {
    const server = testServer({ release: '1.37' })
    const proxied = () => sendRequest(server, { path: `${CORE}/services/web/proxy/` })
    expect((await proxied()).status).toBe(503)
    await post(server, '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'] }],
    })
    expect((await proxied()).status).toBe(501)
  })
})

it('backends of an ingress may name such services at 1.37', async () => {
  const create = (release: string) =>
    post(testServer({ release }), '/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
      metadata: { name: 'a' },
      spec: { defaultBackend: { service: { name: '1st', port: { number: 80 } } } },
    })
  expect((await create('1.37')).status).toBe(201)
  expect((await create('1.35')).status).toBe(422)
})
