/** Feature gates of custom resources, generated names and discovery, while they are off. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Causes, CONFIG_MAPS, causes, type TestServer, testServer } from './server'

const MERGE = 'application/merge-patch+json'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const WIDGETS = '/apis/ex.com/v1/namespaces/default/widgets'

const versionsWith = (properties: JsonObject, members: JsonObject = {}): JsonObject[] => [
  {
    name: 'v1',
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
    },
    ...members,
  },
]
async function define(server: TestServer, versions: JsonObject[]) {
  const made = await server.send('POST', DEFINITIONS, {
    metadata: { name: 'widgets.ex.com' },
    spec: {
      group: 'ex.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions,
    },
  })
  await settled()
  return made
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 5))
const versionOf = ({ body }: { body: KubeObject }) =>
  (body.spec as { versions: JsonObject[] }).versions[0] as JsonObject

describe('CustomResourceFieldSelectors off', () => {
  it('drops selectableFields and does not select by them', async () => {
    const server = testServer({ featureGates: { CustomResourceFieldSelectors: false } })
    const made = await define(
      server,
      versionsWith({ a: { type: 'string' } }, { selectableFields: [{ jsonPath: '.spec.a' }] }),
    )
    expect(versionOf(made)).not.toHaveProperty('selectableFields')
    const { status, body } = await server.send<KubeObject & { message: string }>(
      'GET',
      `${WIDGETS}?fieldSelector=spec.a%3Dx`,
    )
    expect([status, body.message]).toEqual([400, 'field label not supported: spec.a'])
    const { body: document } = await server.send<JsonObject>('GET', '/openapi/v3/apis/ex.com/v1')
    expect(JSON.stringify(document)).not.toContain('selectable-fields')
  })
})

describe('CRDValidationRatcheting', () => {
  const STRICT = {
    n: { type: 'integer', maximum: 3 },
    a: { type: 'string', 'x-kubernetes-validations': [{ rule: "self != 'old'" }] },
  }

  async function tightened(ratchets: boolean): Promise<TestServer> {
    const server = testServer({ featureGates: { CRDValidationRatcheting: ratchets } })
    await define(server, versionsWith({ n: { type: 'integer' }, a: { type: 'string' } }))
    await server.send('POST', WIDGETS, {
      apiVersion: 'ex.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec: { n: 5, a: 'old' },
    })
    await server.send(
      'PATCH',
      `${DEFINITIONS}/widgets.ex.com`,
      { spec: { versions: versionsWith(STRICT) } },
      MERGE,
    )
    await settled()
    return server
  }
  const touch = (server: TestServer) =>
    server.send<Causes>(
      'PATCH',
      `${WIDGETS}/w`,
      { metadata: { labels: { a: 'b' } } } as JsonObject,
      MERGE,
    )

  it('off validates unchanged values again', async () => {
    const { status, body } = await touch(await tightened(false))
    expect(status).toBe(422)
    expect(causes(body)).toEqual([
      'spec.n: Invalid value: 5: spec.n in body should be less than or equal to 3',
      `spec.a: Invalid value: "string": failed rule: self != 'old'`,
    ])
  })

  it('on skips unchanged values', async () => {
    expect((await touch(await tightened(true))).status).toBe(200)
  })

  it('off drops optionalOldSelf from rules', async () => {
    const server = testServer({ featureGates: { CRDValidationRatcheting: false } })
    const rule = { rule: "self != 'x'", optionalOldSelf: true }
    const made = await define(
      server,
      versionsWith({
        list: { type: 'array', items: { type: 'string', 'x-kubernetes-validations': [rule] } },
      }),
    )
    expect(made.status).toBe(201)
    expect(JSON.stringify(versionOf(made))).not.toContain('optionalOldSelf')
  })
})

describe('RetryGenerateName', () => {
  const generate = (server: TestServer) =>
    server.send<KubeObject & { reason?: string }>('POST', CONFIG_MAPS, {
      metadata: { generateName: 'a-' },
    })
  /** Random bytes that generate each name twice. */
  const twice = () => {
    let drawn = 0
    return {
      bytes: (into: Uint8Array) => (into.length === 5 ? into.fill(drawn++ >> 1) : into.fill(drawn)),
    }
  }

  it('generates another name for one that exists', async () => {
    const server = testServer({ random: twice() })
    expect([(await generate(server)).status, (await generate(server)).status]).toEqual([201, 201])
  })

  it('off returns an error', async () => {
    const server = testServer({ random: twice(), featureGates: { RetryGenerateName: false } })
    await generate(server)
    const { status, body } = await generate(server)
    expect([status, body.reason]).toEqual([409, 'AlreadyExists'])
  })
})

describe('StorageVersionHash off', () => {
  it('omits storage version hashes from discovery, except those of custom resources', async () => {
    const server = testServer({ featureGates: { StorageVersionHash: false } })
    await define(server, versionsWith({}))
    const hashes = async (path: string) => {
      const { body } = await server.send<{ resources: JsonObject[] }>('GET', path)
      return body.resources.filter(({ storageVersionHash }) => storageVersionHash !== undefined)
        .length
    }
    expect([
      await hashes('/api/v1'),
      await hashes('/apis/apps/v1'),
      await hashes('/apis/ex.com/v1'),
    ]).toEqual([0, 0, 1])
  })
})

describe('OpenAPIEnums off', () => {
  it.each([
    ['/openapi/v2', (body: { definitions?: JsonObject }) => body.definitions],
    [
      '/openapi/v3/api/v1',
      (body: { components?: { schemas: JsonObject } }) => body.components?.schemas,
    ],
  ])('%s omits the enums of fields', async (path, schemasOf) => {
    const reported = async (OpenAPIEnums: boolean) => {
      const { body } = await testServer({ featureGates: { OpenAPIEnums } }).send<object>(
        'GET',
        path,
      )
      return JSON.stringify(schemasOf(body))
    }
    for (const words of ['"enum":[', 'Possible enum values:']) {
      expect((await reported(true)).includes(words)).toBe(true)
      expect((await reported(false)).includes(words)).toBe(false)
    }
  })
})
