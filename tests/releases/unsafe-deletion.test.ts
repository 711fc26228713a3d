/** `ignoreStoreReadErrorWithClusterBreakingPotential`, where every stored object can be read. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { type TestServer, testServer } from '../registry/server'

const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential'
const MAPS = '/api/v1/namespaces/default/configmaps'

interface Failure {
  reason: string
  message: string
}

beforeAll(() => loadTables('1.37'))

async function withMap(release: '1.31' | '1.37', more: object = {}): Promise<TestServer> {
  const server = testServer({ release, ...more })
  const { status } = await server.send('POST', MAPS, { metadata: { name: 'a' } })
  expect(status).toBe(201)
  return server
}

describe('an unsafe deletion', () => {
  it.each(['', '&dryRun=All'])('of an object that can be read is a conflict%s', async (dryRun) => {
    const server = await withMap('1.37')
    const path = `${MAPS}/a?${OPTION}=true${dryRun}`
    const { status, body: json } = await server.send<Failure>('DELETE', path)
    expect([status, json.reason, json.message]).toEqual([
      409,
      'Conflict',
      'Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: unsafe deletion is not allowed because the object is decodable from storage',
    ])
    expect((await server.send('GET', `${MAPS}/a`)).status).toBe(200)
  })

  it('of a missing object is not found', async () => {
    const server = await withMap('1.37')
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', [OPTION]: true }
    expect((await server.send('DELETE', `${MAPS}/b`, body)).status).toBe(404)
  })

  it('excludes other options', async () => {
    const server = await withMap('1.37')
    const path = `${MAPS}/a?${OPTION}=true&gracePeriodSeconds=0&propagationPolicy=Background`
    const { status, body: json } = await server.send<Failure>('DELETE', path)
    expect([status, json.message]).toEqual([
      422,
      `DeleteOptions.meta.k8s.io "" is invalid: [${OPTION}: Invalid value: true: cannot be set together with .propagationPolicy, ${OPTION}: Invalid value: true: cannot be set together with .gracePeriodSeconds]`,
    ])
  })

  it('does not apply to collections', async () => {
    const server = await withMap('1.37')
    const { status, body: json } = await server.send<Failure>('DELETE', `${MAPS}?${OPTION}=true`)
    expect([status, json.message]).toEqual([
      422,
      `DeleteOptions.meta.k8s.io "" is invalid: ${OPTION}: Invalid value: true: is not allowed with DELETECOLLECTION, try again after removing the option`,
    ])
  })

  it('is an ordinary deletion where the feature gate is off', async () => {
    for (const [release, more] of [
      ['1.31', {}],
      ['1.37', { featureGates: { AllowUnsafeMalformedObjectDeletion: false } }],
    ] as const) {
      const server = await withMap(release, more)
      const path = `${MAPS}/a?${OPTION}=true`
      expect((await server.send('DELETE', path)).status).toBe(200)
    }
  })
})
