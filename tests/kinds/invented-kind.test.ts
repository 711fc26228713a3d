/** A built-in kind that Kubernetes does not have, as CONTRIBUTING.md adds one. */
import { describe, expect, it } from 'vitest'
import { table } from '../../src/engine/encoding/tables/resource-table'
import type { Kind } from '../../src/engine/registry/kind'
import { at, NAMES } from '../../src/engine/registry/selectable-fields'
import { provideTables } from '../../src/engine/release-tables/provide-tables'
import { invalidValue } from '../../src/engine/validation/field-errors'
import { sendRequest, testServer } from '../support/server'

interface Kettle {
  spec?: { liters?: number; lid?: string }
  status?: { phase?: string }
}

const kettle: Kind = {
  group: 'kitchen.example.com',
  kind: 'Kettle',
  strategy: {
    generationFields: ['spec'],
    serverOwned: ['status'],
    defaults(object) {
      const { spec } = object as Kettle
      if (spec) spec.lid ??= 'Closed'
    },
    validate(object) {
      const { liters = 0 } = (object as Kettle).spec ?? {}
      return liters > 0 ? [] : [invalidValue('spec.liters', liters, 'must be greater than 0')]
    },
    validateUpdate: (object, old) =>
      (object as Kettle).spec?.lid === (old as Kettle).spec?.lid
        ? []
        : [invalidValue('spec.lid', (object as Kettle).spec?.lid, 'field is immutable')],
    status: {},
  },
  selectable: {
    fields: { ...NAMES, 'spec.lid': at('spec.lid') },
    rejection: (field) => `field label not supported: ${field}`,
  },
  table: table<Kettle>(({ spec, status }) => ({
    Liters: spec?.liters ?? 0,
    Phase: status?.phase ?? 'Cold',
  })),
  description: {
    version: 'v1',
    resource: 'kettles',
    namespaced: true,
    shortNames: ['kt'],
    types: {
      Kettle: ['spec?:.KettleSpec={}', 'status?:.KettleStatus={}'],
      KettleSpec: ['liters!:i=0', 'lid?:s(Closed|Open)'],
      KettleStatus: ['phase?:s'],
    },
    columns: [
      ['Liters', 'integer', '', 'Capacity of the kettle.', 0],
      ['Phase', 'string', '', 'State of the water.', 0],
    ],
  },
}

const PATH = '/apis/kitchen.example.com/v1/namespaces/default/kettles'

const document = (name: string, spec: object = { liters: 2 }) => ({
  apiVersion: 'kitchen.example.com/v1',
  kind: 'Kettle',
  metadata: { name },
  spec,
})

const serverWithKettles = () => testServer({ kinds: [kettle] })

const post = (server: ReturnType<typeof testServer>, name: string, spec?: object) =>
  sendRequest(server, { method: 'POST', path: PATH, body: document(name, spec) })

describe('a kind given as one value', () => {
  it('is created with its defaults, and has a generation', async () => {
    const server = serverWithKettles()
    const created = await post(server, 'whistling')
    expect(created.status).toBe(201)
    expect(created.json.spec).toEqual({ liters: 2, lid: 'Closed' })
    expect(created.json.metadata.generation).toBe(1)
    const changed = await sendRequest(server, {
      method: 'PATCH',
      path: `${PATH}/whistling`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { liters: 3 } },
    })
    expect(changed.json.metadata.generation).toBe(2)
  })

  it('is validated on create and on update, and its types are decoded strictly', async () => {
    const server = serverWithKettles()
    const empty = await post(server, 'empty', { liters: 0 })
    expect(empty.status).toBe(422)
    expect(empty.json.message).toBe(
      'Kettle.kitchen.example.com "empty" is invalid: spec.liters: Invalid value: 0: must be greater than 0',
    )
    expect((await post(server, 'text', { liters: 'two' })).status).toBe(400)
    await post(server, 'tea')
    const opened = await sendRequest(server, {
      method: 'PUT',
      path: `${PATH}/tea`,
      body: document('tea', { liters: 2, lid: 'Open' }),
    })
    expect(opened.json.details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "Open": field is immutable',
        field: 'spec.lid',
      },
    ])
  })

  it('keeps the status apart', async () => {
    const server = serverWithKettles()
    await post(server, 'tea')
    const written = await sendRequest(server, {
      method: 'PUT',
      path: `${PATH}/tea/status`,
      body: { ...document('tea', { liters: 9 }), status: { phase: 'Boiling' } },
    })
    expect(written.json.status).toEqual({ phase: 'Boiling' })
    expect(written.json.spec.liters).toBe(2)
  })

  it('is listed as a Table, and selected by its fields', async () => {
    const server = serverWithKettles()
    await post(server, 'big', { liters: 5, lid: 'Open' })
    await post(server, 'small', { liters: 1 })
    const { json } = await sendRequest(server, {
      path: PATH,
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    expect(json.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      'Name',
      'Liters',
      'Phase',
      'Age',
    ])
    expect(json.rows.map(({ cells }: { cells: unknown[] }) => cells.slice(0, 3))).toEqual([
      ['big', 5, 'Cold'],
      ['small', 1, 'Cold'],
    ])
    const open = await sendRequest(server, { path: `${PATH}?fieldSelector=spec.lid%3DOpen` })
    expect(
      open.json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
    ).toEqual(['big'])
    const unknown = await sendRequest(server, { path: `${PATH}?fieldSelector=spec.color%3Dred` })
    expect(unknown.json.message).toContain('field label not supported: spec.color')
  })

  it('is in discovery with its short name', async () => {
    const server = serverWithKettles()
    const { json } = await sendRequest(server, { path: '/apis/kitchen.example.com/v1' })
    expect(json.resources.map(({ name }: { name: string }) => name)).toEqual([
      'kettles',
      'kettles/status',
    ])
    expect(json.resources[0]).toMatchObject({
      kind: 'Kettle',
      namespaced: true,
      shortNames: ['kt'],
      singularName: 'kettle',
    })
    const groups = await sendRequest(server, { path: '/apis' })
    expect(groups.json.groups.map(({ name }: { name: string }) => name)).toContain(
      'kitchen.example.com',
    )
  })

  it('is in both OpenAPI documents', async () => {
    const server = serverWithKettles()
    const own = await sendRequest(server, { path: '/openapi/v3/apis/kitchen.example.com/v1' })
    expect(own.status).toBe(200)
    expect(
      own.json.paths[`/apis/kitchen.example.com/v1/namespaces/{namespace}/kettles`].post,
    ).toMatchObject({
      operationId: 'createKitchenExampleComV1NamespacedKettle',
    })
    expect(
      own.json.components.schemas['io.k8s.api.kitchen.v1.KettleSpec'].properties.liters,
    ).toEqual({
      type: 'integer',
      format: 'int32',
      default: 0,
    })
    const whole = await sendRequest(server, { path: '/openapi/v2' })
    expect(Object.keys(whole.json.definitions)).toContain('io.k8s.api.kitchen.v1.KettleList')
    const plain = await sendRequest(testServer(), { path: '/openapi/v2' })
    expect(Object.keys(plain.json.definitions)).not.toContain('io.k8s.api.kitchen.v1.KettleList')
  })

  it.each(['1.15', '1.21', '1.31', '1.37'] as const)(
    'has an APIService and OpenAPI documents next to those of release %s',
    async (release) => {
      provideTables(release)
      const plain = testServer({ release })
      const server = testServer({ kinds: [kettle], release })
      const services = '/apis/apiregistration.k8s.io/v1/apiservices'
      const own = await sendRequest(server, { path: `${services}/v1.kitchen.example.com` })
      expect(own.json.spec).toMatchObject({ group: 'kitchen.example.com', version: 'v1' })
      const before = await sendRequest(plain, { path: '/openapi/v3' })
      const paths = Object.keys(before.json.paths)
      for (const path of paths)
        expect([path, (await sendRequest(server, { path: `/openapi/v3/${path}` })).status]).toEqual(
          [path, (await sendRequest(plain, { path: `/openapi/v3/${path}` })).status],
        )
      expect(paths.length).toBeGreaterThan(20)
      const after = await sendRequest(server, { path: '/openapi/v3' })
      expect(Object.keys(after.json.paths).filter((path) => !paths.includes(path))).toEqual([
        'apis/kitchen.example.com',
        'apis/kitchen.example.com/v1',
      ])
    },
  )

  it('is granted by roles', async () => {
    const server = serverWithKettles()
    await post(server, 'tea')
    const read = () => sendRequest(server, { path: `${PATH}/tea`, token: 'alice' })
    expect((await read()).json.message).toBe(
      'kettles.kitchen.example.com "tea" is forbidden: User "alice" cannot get resource "kettles" in API group "kitchen.example.com" in the namespace "default"',
    )
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
    await sendRequest(server, {
      method: 'POST',
      path: `${rbac}/roles`,
      body: {
        metadata: { name: 'cook' },
        rules: [{ apiGroups: ['kitchen.example.com'], resources: ['kettles'], verbs: ['get'] }],
      },
    })
    await sendRequest(server, {
      method: 'POST',
      path: `${rbac}/rolebindings`,
      body: {
        metadata: { name: 'cook' },
        subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'cook' },
      },
    })
    expect((await read()).status).toBe(200)
  })

  it('is watched', async () => {
    const server = serverWithKettles()
    const response = await server.fetch(
      new Request(`http://localhost${PATH}?watch=true`, {
        headers: { authorization: 'Bearer admin' },
      }),
    )
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await post(server, 'tea')
    const { value } = await reader.read()
    const event = JSON.parse(new TextDecoder().decode(value))
    expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'tea' } } })
    await reader.cancel()
  })

  it('may join a group of Kubernetes', async () => {
    const server = testServer({ kinds: [{ ...kettle, group: 'apps' }] })
    const { json } = await sendRequest(server, { path: '/apis/apps/v1' })
    const names = json.resources.map(({ name }: { name: string }) => name)
    expect(names).toContain('deployments')
    expect(names).toContain('kettles')
  })
})
