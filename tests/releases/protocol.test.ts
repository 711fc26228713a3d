import { beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { testServer } from '../admission/server'

beforeAll(() => loadTables('1.37'))

/** Sends a patch to a config map that does not exist. */
async function patchOf(release: string, type: string, body: string) {
  const server = createApiServer({
    release,
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log: { error: () => {} },
    storage: createMemoryStorage(),
    tokens: 'admin,admin,1,"system:masters"\n',
  })
  const url = 'http://localhost/api/v1/namespaces/default/configmaps/none?fieldManager=m'
  const headers = { authorization: 'Bearer admin', 'content-type': `application/${type}` }
  const response = await server.fetch(new Request(url, { method: 'PATCH', headers, body }))
  return ((await response.json()) as { message: string }).message
}

describe('patches', () => {
  it.each(['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json'])(
    'of %s that are not JSON are rejected before the object is read, from 1.37 on',
    async (type) => {
      expect(await patchOf('1.35', type, '{')).toBe('configmaps "none" not found')
      expect(await patchOf('1.37', type, '{')).toBe('invalid JSON patch')
    },
  )

  it('that apply name a patch in decoding errors, from 1.37 on', async () => {
    expect(await patchOf('1.35', 'apply-patch+yaml', '5')).toContain('error decoding YAML: ')
    expect(await patchOf('1.37', 'apply-patch+yaml', '5')).toContain('error decoding patch: ')
  })
})

describe('access reviews', () => {
  it('of both or neither kind of attributes have an error about the spec from 1.37 on', async () => {
    const fieldsAt = async (release: string, spec: object) => {
      const server = testServer({ release })
      const { body } = await server.send(
        'POST',
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        { spec },
      )
      const { details } = body as { details?: { causes: { field: string; message: string }[] } }
      return details?.causes.map(({ field, message }) => `${field}: ${message}`)
    }
    const both = {
      resourceAttributes: { verb: 'get', resource: 'pods' },
      nonResourceAttributes: { path: '/', verb: 'get' },
    }
    const exactlyOne =
      'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    expect(await fieldsAt('1.35', {})).toEqual([
      `spec.resourceAttributes: Invalid value: null: ${exactlyOne}`,
    ])
    expect(await fieldsAt('1.37', {})).toEqual([`spec: Invalid value: null: ${exactlyOne}`])
    expect(await fieldsAt('1.37', both)).toEqual([
      `spec: Invalid value: {"Path":"/","Verb":"get"}: ${exactlyOne}`,
    ])
  })
})

describe('reasons of authorizers', () => {
  it('begin with the name of the authorizer from 1.37 on', async () => {
    const reasonAt = async (release: string) => {
      const server = testServer({ release, authorization: { modes: ['Node', 'RBAC'] } })
      const { body } = await server.send(
        'POST',
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        {
          spec: {
            user: 'system:node:a',
            groups: ['system:nodes'],
            resourceAttributes: { verb: 'update', resource: 'secrets', namespace: 'default' },
          },
        },
      )
      return (body.status as { reason?: string }).reason
    }
    expect(await reasonAt('1.35')).toBe('can only read resources of this type')
    expect(await reasonAt('1.37')).toBe('node: can only read resources of this type')
  })
})
