/** Fields of PersistentVolumeClaims that feature gates enable or disable. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Causes, causes, type TestServer, testServer } from './server'

const MERGE = 'application/merge-patch+json'
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
const CLASSES = '/apis/storage.k8s.io/v1/storageclasses'

const SNAPSHOT = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'x' }
const claim = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'c' },
  spec: {
    storageClassName: 'sc',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '4Gi' } },
    ...spec,
  },
})
const sourcesOf = ({ body }: { body: KubeObject }) => {
  const { dataSource, dataSourceRef } = body.spec as JsonObject
  return { dataSource, dataSourceRef }
}

describe('CrossNamespaceVolumeDataSource', () => {
  const dataSourceRef = { ...SNAPSHOT, namespace: 'other' }
  const create = (spec: JsonObject) =>
    testServer({ featureGates: { CrossNamespaceVolumeDataSource: true } }).send<Causes>(
      'POST',
      CLAIMS,
      claim(spec),
    )

  it('accepts a data source in another namespace, in dataSourceRef only', async () => {
    expect(sourcesOf(await create({ dataSourceRef }))).toEqual({
      dataSource: undefined,
      dataSourceRef,
    })
    expect(causes((await create({ dataSource: SNAPSHOT, dataSourceRef })).body)[0]).toMatch(
      /^spec: Invalid value: .*: may not be specified when dataSourceRef.namespace is specified$/,
    )
  })

  it('is dropped while the gate is off', async () => {
    expect(sourcesOf(await testServer().send('POST', CLAIMS, claim({ dataSourceRef })))).toEqual({})
  })
})

describe('AnyVolumeDataSource off', () => {
  it('keeps only dataSource, which accepts claims and snapshots', async () => {
    const server = testServer({ featureGates: { AnyVolumeDataSource: false } })
    expect(sourcesOf(await server.send('POST', CLAIMS, claim({ dataSource: SNAPSHOT })))).toEqual({
      dataSource: SNAPSHOT,
    })
    const other = { apiGroup: 'a.b', kind: 'Populator', name: 'x' }
    const unknown = {
      ...claim({ dataSource: other, dataSourceRef: other }),
      metadata: { name: 'd' },
    }
    expect(sourcesOf(await server.send('POST', CLAIMS, unknown))).toEqual({})
  })
})

describe('RecoverVolumeExpansionFailure', () => {
  const report = (server: TestServer, status: JsonObject) =>
    server.send<Causes>('PATCH', `${CLAIMS}/c/status`, { status }, MERGE)
  const resize = (server: TestServer, storage: string) =>
    server.send<Causes>(
      'PATCH',
      `${CLAIMS}/c`,
      { spec: { resources: { requests: { storage } } } },
      MERGE,
    )

  async function growing(
    featureGates: Record<string, boolean> = { RecoverVolumeExpansionFailure: true },
  ): Promise<TestServer> {
    const server = testServer({ featureGates })
    await server.send('POST', CLASSES, {
      metadata: { name: 'sc' },
      provisioner: 'p',
      allowVolumeExpansion: true,
    })
    await server.send('POST', CLAIMS, claim())
    await report(server, { phase: 'Bound', capacity: { storage: '4Gi' } })
    expect((await resize(server, '10Gi')).status).toBe(200)
    return server
  }

  it('accepts a smaller request if it is above the capacity', async () => {
    const server = await growing()
    expect((await resize(server, '5Gi')).status).toBe(200)
    expect(causes((await resize(server, '4Gi')).body)).toEqual([
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ])
  })

  it('rejects it while the gate is off', async () => {
    const server = await growing({})
    expect(causes((await resize(server, '5Gi')).body)).toEqual([
      'spec.resources.requests.storage: Forbidden: field can not be less than previous value',
    ])
    expect(
      (await report(server, { allocatedResources: { storage: '10Gi' } })).body.status,
    ).not.toHaveProperty('allocatedResources')
  })

  it('accepts the progress of an expansion in the status', async () => {
    const server = await growing()
    const reported = {
      allocatedResources: { storage: '10Gi' },
      allocatedResourceStatuses: { storage: 'NodeResizePending' },
    }
    expect((await report(server, reported)).body.status).toMatchObject(reported)
  })

  it.each<[what: string, status: JsonObject, rejections: RegExp[]]>([
    [
      'of storage alone',
      { allocatedResources: { cpu: '1' } },
      [/^status.allocatedResources: Unsupported value: "cpu"/],
    ],
    [
      'as an amount',
      { allocatedResources: { storage: '-1' } },
      [/must be a valid resource quantity$/],
    ],
    [
      'in stages that there are',
      { allocatedResourceStatuses: { storage: 'X' } },
      [
        /^status.allocatedResourceStatus: Unsupported value: storage: supported values: "ControllerResizeInProgress"/,
      ],
    ],
  ])('%s', async (_, status, rejections) => {
    const response = await report(await growing(), status)
    const reported = causes(response.body)
    expect(reported).toHaveLength(rejections.length)
    for (const [i, rejection] of rejections.entries()) expect(reported[i]).toMatch(rejection)
  })
})
