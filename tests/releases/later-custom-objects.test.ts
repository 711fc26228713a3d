/** Custom resources and their neighbors whose responses later releases changed. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { isFormat, isKnownFormat } from '../../src/engine/validation/custom-objects/formats'
import { sendRequest, testServer } from '../support/server'

beforeAll(() => loadTables('1.35'))

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const PORTS = '/apis/example.com/v1/ports'

const ports = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['port', 'protocol'],
  items: {
    type: 'object',
    required: ['port', 'protocol'],
    properties: { port: { type: 'integer' }, protocol: { type: 'string' } },
  },
}
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ports.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'ports', kind: 'Port' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { ports } } },
      },
    ],
  },
}

const apply = (server: ReturnType<typeof testServer>, path: string, body: object) =>
  sendRequest(server, {
    method: 'PATCH',
    path: `${path}?fieldManager=test`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body,
  })

describe('applied items without all keys', () => {
  const applied = async (release: string, item: object) => {
    const server = testServer({ release })
    await sendRequest(server, { method: 'POST', path: DEFINITIONS, body: definition })
    await vi.waitFor(async () =>
      expect((await sendRequest(server, { path: PORTS })).status).toBe(200),
    )
    const { status, json } = await apply(server, `${PORTS}/a`, {
      apiVersion: 'example.com/v1',
      kind: 'Port',
      metadata: { name: 'a' },
      ports: [item],
    })
    return `${status} ${json.message}`
  }

  it('are rejected by validation since 1.34, if they have one key', async () => {
    const item = { protocol: 'TCP' }
    expect(await applied('1.33', item)).toMatch(/^500 .*omits key field "port"/)
    expect(await applied('1.35', item)).toMatch(/^422 .*ports\[0\]\.port: Required value/)
  })

  it('have an error that lists the keys if they have none', async () => {
    expect(await applied('1.35', {})).toMatch(
      /^500 .*element 0: associative list with keys has an element that omits all key fields \["port" "protocol"\] \(and doesn't have default values for any key fields\)$/,
    )
  })

  it('have that error in built-in kinds too', async () => {
    const message = async (release: string) => {
      const path = '/api/v1/namespaces/default/serviceaccounts/a'
      const { json } = await apply(testServer({ release }), path, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'a' },
        secrets: [{ namespace: 'b' }],
      })
      return json.message
    }
    expect(await message('1.33')).toContain('omits key field "name"')
    expect(await message('1.35')).toContain('omits all key fields ["name"]')
  })
})

it('formats of names are validated where the release has them', () => {
  expect(isKnownFormat('k8s-short-name', false)).toBe(false)
  expect(isFormat('k8s-short-name', 'a.b', false)).toBe(true)
  expect(isFormat('k8s-short-name', 'a.b', true)).toBe(false)
  expect(isFormat('k8s-long-name', 'a.b', true)).toBe(true)
  expect(isFormat('k8s-long-name', 'a..b', true)).toBe(false)
})

it('a patch without a type and a body is a 415 since 1.35', async () => {
  const patch = async (release: string) => {
    const path = '/api/v1/namespaces/default/configmaps/a'
    const headers = { 'content-type': '' }
    return (await sendRequest(testServer({ release }), { method: 'PATCH', path, headers })).status
  }
  expect(await patch('1.33')).toBe(406)
  expect(await patch('1.35')).toBe(415)
})

it('escapes of surrogates in CEL are errors since 1.33', () => {
  const issues = (release: string) =>
    compile('"\\udead" == "x"', serverEnvironment({}, { use: 'new', strictCost: true, release }))
      .issues
  expect(issues('1.32')).toBeUndefined()
  expect(JSON.stringify(issues('1.33'))).toContain('invalid unicode code point')
})

it('the metadata of a review has no time of creation since 1.35', async () => {
  const metadata = async (release: string) => {
    const { json } = await sendRequest(testServer({ release }), {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
      body: { spec: { nonResourceAttributes: { verb: 'get', path: '/' } } },
    })
    return 'creationTimestamp' in json.metadata
  }
  expect(await metadata('1.33')).toBe(true)
  expect(await metadata('1.35')).toBe(false)
})
